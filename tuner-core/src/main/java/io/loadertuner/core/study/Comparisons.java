package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.measure.Verdict;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Explanation.Decision;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** What was compared with a leader, each as an explanation of its own. */
final class Comparisons {
    private Comparisons() {}

    /**
     * Explains what came of everyone that shared a round with the leader.
     *
     * @param setting what was varied
     * @param value its value in a config
     */
    static void explain(
            Search search,
            String setting,
            Function<LoaderConfig, String> value,
            Front front,
            PairedRounds<LoaderConfig> rounds) {
        LoaderConfig leader = front.leader();
        for (LoaderConfig config : rounds.contenders()) {
            Optional<Ratio> ratio = rounds.ratio(config, leader);
            if (config.equals(leader) || ratio.isEmpty()) {
                continue;
            }
            Decision decision = front.carried().contains(config) ? Decision.CARRIED : Decision.DROPPED;
            search.explain(new Explanation(
                    setting,
                    value.apply(leader),
                    value.apply(config),
                    ratio.get(),
                    decision,
                    "%s %s: %s against %s, %s: %s"
                            .formatted(
                                    setting,
                                    value.apply(config),
                                    Sentences.ratio(ratio.get()),
                                    value.apply(leader),
                                    search.replay().hasFailed(config)
                                            ? "then it failed"
                                            : verdict(ratio.get().verdict()),
                                    decision.name().toLowerCase(Locale.ROOT))));
        }
    }

    /** Who came nearest to the leader, or lies above it; empty where nobody shared a round with it. */
    static Optional<LoaderConfig> nearest(LoaderConfig leader, PairedRounds<LoaderConfig> rounds) {
        return rounds.contenders().stream()
                .filter(config -> !config.equals(leader)
                        && rounds.middleRatio(config, leader).isPresent())
                .max(Comparator.comparingDouble(
                        config -> rounds.middleRatio(config, leader).orElse(0)));
    }

    private static String verdict(Verdict verdict) {
        return switch (verdict) {
            case BETTER -> "better";
            case WORSE -> "worse";
            case CANNOT_TELL -> "cannot tell";
        };
    }
}
