package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.measure.Verdict;
import io.loadertuner.core.space.LoaderConfig;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Orders of configs by what was measured. */
final class Ranking {
    /** A deficit up to this share is not worth dropping a config for. */
    static final double MARGIN = 0.03;

    private Ranking() {}

    /** Fastest first, by the median of all their rounds; configs without a round are left out. */
    static List<LoaderConfig> byRate(Collection<LoaderConfig> configs, Replay replay) {
        return configs.stream()
                .filter(config -> replay.rate(config).isPresent() && !replay.hasFailed(config))
                .sorted(Comparator.comparingDouble(
                        (LoaderConfig config) -> -replay.rate(config).orElse(0)))
                .toList();
    }

    /** Fastest first, by the paired rounds shared with {@code reference}, which counts as 1; the unpaired come last. */
    static List<LoaderConfig> byRatio(
            Collection<LoaderConfig> configs, LoaderConfig reference, PairedRounds<LoaderConfig> rounds) {
        return configs.stream()
                .sorted(Comparator.comparingDouble((LoaderConfig config) -> -ratioOrOne(config, reference, rounds)))
                .toList();
    }

    /** The fastest by paired rounds leads; carried is who cannot be told from it and is within what can be resolved. */
    static Front front(Search search, List<LoaderConfig> candidates, PairedRounds<LoaderConfig> rounds) {
        List<LoaderConfig> alive = candidates.stream()
                .filter(config -> !search.replay().hasFailed(config))
                .toList();
        if (alive.isEmpty()) {
            return new Front(candidates.get(0), List.of());
        }
        List<LoaderConfig> ranked = byRatio(alive, mostMeasured(alive, search.replay()), rounds);
        LoaderConfig leader = ranked.get(0);
        double reach = 1 / (1 + search.resolvableDifference().orElse(0.1));
        List<LoaderConfig> carried = ranked.stream()
                .skip(1)
                .filter(config -> isTied(rounds.ratio(config, leader), reach))
                .toList();
        return new Front(leader, carried);
    }

    private static LoaderConfig mostMeasured(List<LoaderConfig> configs, Replay replay) {
        return configs.stream()
                .max(Comparator.comparingInt(
                        (LoaderConfig config) -> replay.rates(config).size()))
                .orElseThrow();
    }

    private static boolean isTied(Optional<Ratio> ratio, double reach) {
        return ratio.filter(known -> known.verdict() != Verdict.WORSE && known.ratio() > reach)
                .isPresent();
    }

    private static double ratioOrOne(LoaderConfig config, LoaderConfig reference, PairedRounds<LoaderConfig> rounds) {
        if (config.equals(reference)) {
            return 1;
        }
        return rounds.ratio(config, reference).map(Ratio::ratio).orElse(0.0);
    }
}
