package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.measure.Verdict;
import io.loadertuner.core.space.LoaderConfig;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Orders of configs by what was measured. */
final class Ranking {
    /** A deficit up to this share is not worth dropping a config for. */
    static final double MARGIN = 0.03;

    /**
     * How far below the leader a config may have been seen in one shared round and still be carried, as a multiple of what five
     * rounds resolve: a one-sided 95 % bound, because the leader was chosen by its luck too.
     */
    private static final double REACH_OF_ONE_ROUND = 2.2;

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

    /**
     * The fastest by paired rounds leads, of those that took part to the end; carried is who cannot be told from it and is
     * within reach of it.
     */
    static Front front(Search search, List<LoaderConfig> candidates, PairedRounds<LoaderConfig> rounds) {
        List<LoaderConfig> alive = candidates.stream()
                .filter(config -> !search.replay().hasFailed(config))
                .toList();
        if (alive.isEmpty()) {
            return new Front(candidates.get(0), List.of());
        }
        int most = alive.stream().mapToInt(rounds::rounds).max().orElseThrow();
        List<LoaderConfig> toTheEnd =
                alive.stream().filter(config -> rounds.rounds(config) == most).toList();
        List<LoaderConfig> ranked = byRatio(alive, toTheEnd.get(0), rounds);
        LoaderConfig leader =
                ranked.stream().filter(toTheEnd::contains).findFirst().orElseThrow();
        double reach = Math.pow(1 + search.resolvableOrUsualDifference(), -REACH_OF_ONE_ROUND / Math.sqrt(most));
        List<LoaderConfig> carried = ranked.stream()
                .filter(config -> !config.equals(leader))
                .filter(config -> isTied(config, leader, rounds, reach))
                .toList();
        return new Front(leader, carried);
    }

    private static boolean isTied(
            LoaderConfig config, LoaderConfig leader, PairedRounds<LoaderConfig> rounds, double reach) {
        return rounds.middleRatio(config, leader).orElse(0) > reach
                && rounds.ratio(config, leader)
                        .filter(known -> known.verdict() != Verdict.WORSE)
                        .isPresent();
    }

    private static double ratioOrOne(LoaderConfig config, LoaderConfig reference, PairedRounds<LoaderConfig> rounds) {
        if (config.equals(reference)) {
            return 1;
        }
        return rounds.middleRatio(config, reference).orElse(0);
    }
}
