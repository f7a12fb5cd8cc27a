package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Replay.Pending;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Challengers against the leader: all in one interleaved round, then those that looked better in another. */
final class Challenge {
    private static final int PROMISING = 5;

    private Challenge() {}

    /**
     * A leader that works keeps its place until it is beaten; one that does not gives way to whatever works.
     *
     * @param firstRound number of the first of the two rounds within the phase
     * @param rounds takes what is measured
     * @return who is ahead of leader and challengers, and who cannot be told from it; empty where nothing was compared
     */
    static Optional<Front> run(
            Search search,
            LoaderConfig leader,
            List<LoaderConfig> challengers,
            Phase phase,
            int firstRound,
            PairedRounds<LoaderConfig> rounds)
            throws Pending {
        List<LoaderConfig> alive = new ArrayList<>(challengers);
        alive.add(0, leader);
        search.explorePaired(alive, phase, firstRound, rounds);
        keepThePromising(alive, leader, rounds);
        if (alive.size() > 1) {
            search.explorePaired(alive, phase, firstRound + 1, rounds);
        }
        boolean leaderWorks =
                search.replay().rate(leader).isPresent() && !search.replay().hasFailed(leader);
        boolean compared = rounds.contenders().size() > 1 && rounds.contenders().contains(leader);
        return rounds.contenders().isEmpty() || (leaderWorks && !compared)
                ? Optional.empty()
                : Optional.of(Ranking.front(search, List.copyOf(rounds.contenders()), rounds));
    }

    /** Who looked better than the leader, the best of them first; the leader stays. */
    private static void keepThePromising(
            List<LoaderConfig> alive, LoaderConfig leader, PairedRounds<LoaderConfig> rounds) {
        List<LoaderConfig> better = Ranking.byRatio(alive, leader, rounds).stream()
                .filter(config -> rounds.middleRatio(config, leader).orElse(0) > 1)
                .limit(PROMISING)
                .toList();
        alive.removeIf(config -> !config.equals(leader) && !better.contains(config));
    }
}
