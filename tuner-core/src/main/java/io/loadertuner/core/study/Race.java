package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Replay.Pending;
import java.util.ArrayList;
import java.util.List;

/** The best of many first looks against each other, in interleaved rounds. */
final class Race {
    static final int RACERS = 4;
    static final int ROUNDS = 3;

    private Race() {}

    /**
     * Measures until the rounds are done or one is left.
     *
     * @param ranked the more promising first, not empty
     * @param rounds what is known of them already; the race's own rounds join
     */
    static void run(Search search, List<LoaderConfig> ranked, PairedRounds<LoaderConfig> rounds) throws Pending {
        LoaderConfig best = Ranking.byRatio(ranked, ranked.get(0), rounds).get(0);
        List<LoaderConfig> near = ranked.stream()
                .filter(config -> !rounds.hasFallenBehind(config, best, Ranking.MARGIN))
                .toList();
        List<LoaderConfig> racers = new ArrayList<>(near.subList(0, Math.min(RACERS - 1, near.size())));
        near.stream()
                .filter(config -> !racers.contains(config))
                .min(search.settings().cheapestFirst())
                .ifPresent(racers::add);
        for (int round = 1; round <= ROUNDS && racers.size() > 1; round++) {
            search.explorePaired(racers, Phase.RACE, round, rounds);
            LoaderConfig leader = Ranking.byRatio(racers, racers.get(0), rounds).get(0);
            racers.removeIf(config -> rounds.hasFallenBehind(config, leader, Ranking.MARGIN));
        }
    }
}
