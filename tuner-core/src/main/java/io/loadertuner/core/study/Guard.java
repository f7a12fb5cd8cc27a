package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.measure.Verdict;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Recommendation.Kind;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The baseline is left only for what is faster beyond noise, or for what feeds a step that is the bottleneck with less.
 * Of several such configs the cheapest is taken, and never one with another batch size than the baseline's for a tie's
 * sake.
 */
final class Guard {
    /** A cheaper config may deliver this much less than the baseline. */
    private static final double LOSS_ALLOWED = 0.03;

    /** So many paired rounds above a bound put the median above it with 97 % confidence (sign test, one-sided). */
    private static final int ROUNDS_FOR_A_SIGN_TEST = 5;

    /** After so many rounds the comparison may end early, decided … */
    private static final Set<Integer> DECIDING_ROUNDS = Set.of(3, 5, 10, 20);

    /** … each time with a quarter of the error that is allowed … */
    private static final int LOOKS_BEFORE_THE_END = 4;

    /** … and at the end with half of it: looking often at one comparison misleads as comparing often does. */
    private static final int LOOKS_AT_THE_END = 2;

    /** While the cheapest of those that cannot be told apart seems to deliver so much less than another, more rounds pay. */
    private static final double SEEMING_LOSS_ALLOWED = 0.1;

    private Guard() {}

    /**
     * @param tied the configs that cannot be told from the best, cheapest first
     * @param confirmed every config of the confirmation that did not fail
     */
    static Recommendation choose(
            Search search, PairedRounds<LoaderConfig> rounds, List<LoaderConfig> tied, List<LoaderConfig> confirmed) {
        LoaderConfig baseline = search.settings().baseline();
        if (search.replay().hasFailed(baseline)
                || search.replay().rate(baseline).isEmpty()) {
            LoaderConfig cheapest = sameBatchFirst(tied, baseline).get(0);
            int worked = search.replay().rates(baseline).size();
            return new Recommendation(
                    Kind.FASTER,
                    cheapest,
                    ratio(rounds, cheapest, baseline).orElse(null),
                    "the baseline (%s) %s; %s is the cheapest of the fastest configs that work"
                            .formatted(
                                    baseline.describe(),
                                    worked == 0 ? "fails" : "failed after it had worked in " + worked + " rounds",
                                    cheapest.describe()));
        }

        Optional<LoaderConfig> faster = sameBatchFirst(tied, baseline).stream()
                .filter(config -> !config.equals(baseline))
                .filter(config -> isBetter(rounds, config, baseline))
                .findFirst();
        if (faster.isPresent()) {
            Ratio speedup = ratio(rounds, faster.get(), baseline).orElseThrow();
            return new Recommendation(
                    Kind.FASTER,
                    faster.get(),
                    speedup,
                    "%s: %s against the baseline (%s)%s"
                            .formatted(
                                    faster.get().describe(),
                                    Sentences.ratio(speedup),
                                    baseline.describe(),
                                    tied.size() > 1
                                            ? "; the cheapest of %d configs that cannot be told apart"
                                                    .formatted(tied.size())
                                            : ""));
        }
        if (BaselineProbe.feedsTheStep(search)) {
            Comparator<LoaderConfig> cost = search.settings().cheapestFirst();
            Optional<LoaderConfig> cheaper = confirmed.stream()
                    .filter(config -> config.batchSize() == baseline.batchSize())
                    .filter(config -> cost.compare(config, baseline) < 0)
                    .filter(config -> feedsAsWell(rounds.range(config, baseline)))
                    .min(cost);
            if (cheaper.isPresent()) {
                Ratio speedup = rounds.range(cheaper.get(), baseline).orElseThrow();
                return new Recommendation(
                        Kind.CHEAPER,
                        cheaper.get(),
                        speedup,
                        "the step is the bottleneck, and %s feeds it as the baseline (%s) does: every one of %d paired rounds gave a ratio from %s to %s"
                                .formatted(
                                        cheaper.get().describe(),
                                        baseline.describe(),
                                        speedup.rounds(),
                                        threeDigits(speedup.low()),
                                        threeDigits(speedup.high())));
            }
        }
        return kept(search, rounds, baseline, confirmed);
    }

    /** Whether no further round is needed: what would be recommended now is decided beyond what another look could take back. */
    static boolean isDecided(Search search, PairedRounds<LoaderConfig> rounds, List<LoaderConfig> tied) {
        LoaderConfig baseline = search.settings().baseline();
        if (tied.isEmpty() || !rounds.contenders().contains(baseline)) {
            return false;
        }
        if (BaselineProbe.feedsTheStep(search)) {
            Comparator<LoaderConfig> cost = search.settings().cheapestFirst();
            return rounds.contenders().stream()
                    .filter(config -> cost.compare(config, baseline) < 0)
                    .min(cost)
                    .filter(config -> feedsAsWell(rounds.range(config, baseline)))
                    .isPresent();
        }
        LoaderConfig choice = sameBatchFirst(tied, baseline).get(0);
        return !choice.equals(baseline)
                && DECIDING_ROUNDS.contains(rounds.rounds(choice))
                && tied.stream()
                        .allMatch(other -> rounds.middleRatio(choice, other).orElse(1) > 1 - SEEMING_LOSS_ALLOWED)
                && rounds.ratioAmongAll(choice, baseline, LOOKS_BEFORE_THE_END)
                        .filter(ratio -> ratio.verdict() == Verdict.BETTER)
                        .isPresent();
    }

    /** Whether this config may yet turn out to feed the step as well as the baseline, for less. */
    static boolean mayStillBeCheaper(Search search, PairedRounds<LoaderConfig> rounds, LoaderConfig config) {
        LoaderConfig baseline = search.settings().baseline();
        return BaselineProbe.feedsTheStep(search)
                && search.settings().cheapestFirst().compare(config, baseline) < 0
                && rounds.range(config, baseline)
                        .filter(range -> range.low() < 1 - LOSS_ALLOWED)
                        .isEmpty();
    }

    private static Recommendation kept(
            Search search, PairedRounds<LoaderConfig> rounds, LoaderConfig baseline, List<LoaderConfig> confirmed) {
        List<LoaderConfig> others = confirmed.stream()
                .filter(config -> !config.equals(baseline))
                .filter(config -> rounds.ratio(config, baseline).isPresent())
                .toList();
        String resolves = "this machine resolves a difference of "
                + Sentences.percent(search.resolvableDifference().orElse(0));
        Optional<String> broken = search.settings().infeasible().apply(baseline);
        if (others.isEmpty()) {
            return new Recommendation(
                    Kind.KEPT,
                    baseline,
                    null,
                    "%s the baseline (%s); %s%s"
                            .formatted(
                                    whyAlone(search, confirmed),
                                    baseline.describe(),
                                    resolves,
                                    broken.map(constraint -> "; it breaks a constraint: " + constraint)
                                            .orElse("")));
        }
        LoaderConfig best = Ranking.byRatio(others, baseline, rounds).get(0);
        if (broken.isPresent()) {
            Ratio ratio = ratio(rounds, best, baseline).orElseThrow();
            return new Recommendation(
                    Kind.CHEAPER,
                    best,
                    ratio,
                    "the baseline (%s) breaks a constraint: %s; the best config that keeps it is %s, %s"
                            .formatted(baseline.describe(), broken.get(), best.describe(), Sentences.ratio(ratio)));
        }
        return new Recommendation(
                Kind.KEPT,
                baseline,
                null,
                "no measurable improvement over the baseline (%s): best was %s, %s; %s"
                        .formatted(
                                baseline.describe(),
                                best.describe(),
                                Sentences.ratio(ratio(rounds, best, baseline).orElseThrow()),
                                resolves));
    }

    private static String whyAlone(Search search, List<LoaderConfig> confirmed) {
        if (confirmed.size() > 1) {
            return "no time was left to compare another config with";
        }
        return search.replay().measured().size() > 1
                ? "no config came near"
                : "no other config could be measured beside";
    }

    /** The ratio to the baseline with an interval that holds for all contenders and all looks at once. */
    static Optional<Ratio> ratio(PairedRounds<LoaderConfig> rounds, LoaderConfig config, LoaderConfig baseline) {
        return rounds.ratioAmongAll(config, baseline, LOOKS_AT_THE_END);
    }

    private static boolean isBetter(PairedRounds<LoaderConfig> rounds, LoaderConfig config, LoaderConfig baseline) {
        return ratio(rounds, config, baseline)
                .filter(ratio -> ratio.verdict() == Verdict.BETTER)
                .isPresent();
    }

    private static boolean feedsAsWell(Optional<Ratio> range) {
        return range.filter(ratio -> ratio.rounds() >= ROUNDS_FOR_A_SIGN_TEST && ratio.low() >= 1 - LOSS_ALLOWED)
                .isPresent();
    }

    private static List<LoaderConfig> sameBatchFirst(List<LoaderConfig> configs, LoaderConfig baseline) {
        return configs.stream()
                .sorted(Comparator.comparing((LoaderConfig config) -> config.batchSize() != baseline.batchSize()))
                .toList();
    }

    private static String threeDigits(double number) {
        return String.format(Locale.ROOT, "%.3f", number);
    }
}
