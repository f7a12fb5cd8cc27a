package io.loadertuner.core.study;

import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Replay.Pending;
import java.util.List;
import java.util.OptionalDouble;

/** Measures what the user has, several times: the reference of every figure, and the noise of this machine. */
final class BaselineProbe {
    private static final double SECONDS_FOR_ALL_REPEATS = 120;
    private static final int REPEATS = 3;
    private static final int REPEATS_IN_A_HURRY = 2;

    /** Beyond this share of the budget the baseline is not repeated. */
    private static final double SHARE_OF_BUDGET = 0.25;

    /** A step takes in what the loader delivers if both together reach this share of the step alone. */
    private static final double FEEDS_THE_STEP = 0.97;

    private BaselineProbe() {}

    static void run(Search search) throws Pending {
        SearchSettings settings = search.settings();
        LoaderConfig baseline = settings.baseline();
        int repeats = settings.budget().wallSeconds() < SECONDS_FOR_ALL_REPEATS ? REPEATS_IN_A_HURRY : REPEATS;
        for (int round = 1; round <= repeats; round++) {
            double seconds = search.replay().expectedSeconds(new Ask(baseline, Phase.BASELINE, round));
            if (round == 1
                    || search.replay().elapsedSeconds() + seconds
                            <= SHARE_OF_BUDGET * settings.budget().wallSeconds()) {
                search.measure(baseline, Phase.BASELINE, round);
            }
        }
        List<Double> rates = search.replay().rates(baseline);
        if (rates.isEmpty()) {
            search.explain(new Explanation(
                    "baseline",
                    null,
                    null,
                    null,
                    Explanation.Decision.MEASURED,
                    "baseline " + baseline.describe() + ": it failed; the others are measured all the same"));
            return;
        }
        double rate = Throughput.median(rates);
        search.explain(new Explanation(
                "baseline",
                null,
                null,
                null,
                Explanation.Decision.MEASURED,
                "baseline %s: %s in %d rounds; five paired rounds resolve a difference of %s here"
                        .formatted(
                                baseline.describe(),
                                Sentences.rate(rate),
                                rates.size(),
                                Sentences.percent(search.resolvableDifference().orElse(0)))));
        if (settings.withStep()) {
            OptionalDouble alone = search.explore(baseline, Phase.LOADER_ALONE, 1);
            search.explain(new Explanation(
                    "baseline",
                    null,
                    null,
                    null,
                    Explanation.Decision.MEASURED,
                    describeBottleneck(rate, settings.stepSamplesPerSecond().getAsDouble(), alone)));
        }
    }

    /** Whether the step, not the loader, limits the baseline. */
    static boolean feedsTheStep(Search search) {
        OptionalDouble step = search.settings().stepSamplesPerSecond();
        OptionalDouble rate = search.replay().rate(search.settings().baseline());
        return step.isPresent() && rate.isPresent() && rate.getAsDouble() >= FEEDS_THE_STEP * step.getAsDouble();
    }

    private static String describeBottleneck(double together, double stepAlone, OptionalDouble loaderAlone) {
        String parts = "the step alone takes in %s, the loader alone delivers %s, together %s"
                .formatted(
                        Sentences.rate(stepAlone),
                        loaderAlone.isPresent() ? Sentences.rate(loaderAlone.getAsDouble()) : "an unknown rate",
                        Sentences.rate(together));
        return together >= FEEDS_THE_STEP * stepAlone
                ? parts
                        + ": the loader already feeds the step, so the search is for the cheapest config that still does"
                : parts + ": the step waits for data";
    }
}
