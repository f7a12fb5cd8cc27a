package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import io.loadertuner.core.space.Setting;
import io.loadertuner.core.study.Replay.Pending;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The number of workers, the setting with the largest effect: a ladder of one round each, outward with a growing stride,
 * then what lies between the leader and its neighbours. Whoever one round cannot rule out is carried.
 */
final class WorkerSearch {
    /** Since the last gain: one drop may be a dip between two peaks. */
    private static final int DROPS_THAT_END_THE_CLIMB = 2;

    private static final int MOST_THAT_ARE_ALL_TRIED = 5;

    private WorkerSearch() {}

    /** Led by {@code start} when no number of workers could be measured. */
    static Front run(Search search, LoaderConfig start) throws Pending {
        PairedRounds<LoaderConfig> rounds = new PairedRounds<>();
        climb(search, start, rounds);
        lookBetween(search, start, rounds);
        List<LoaderConfig> ranked = Ranking.byRate(rounds.contenders(), search.replay());
        if (ranked.isEmpty()) {
            return new Front(start, List.of());
        }
        Front front = Ranking.front(search, ranked, rounds);
        explain(search, start, front, rounds);
        return front;
    }

    private static void climb(Search search, LoaderConfig start, PairedRounds<LoaderConfig> rounds) throws Pending {
        List<Integer> ladder = ladder(search.settings());
        double cores = search.settings().usableCores();
        List<LoaderConfig> lower = new ArrayList<>();
        List<LoaderConfig> upper = new ArrayList<>();
        for (int workers : ladder) {
            LoaderConfig config = withWorkers(search, start, workers);
            boolean beyondCores =
                    !lower.isEmpty() && lower.get(lower.size() - 1).numWorkers() > cores;
            (beyondCores ? upper : lower).add(config);
        }
        List<LoaderConfig> essential = lower.stream()
                .filter(config -> config.numWorkers() == 0 || config.numWorkers() == start.numWorkers())
                .toList();
        search.explorePaired(essential, Phase.WORKERS, 1, rounds);
        List<LoaderConfig> others = new ArrayList<>(lower);
        others.removeAll(essential);
        search.explorePaired(others, Phase.WORKERS, 1, rounds);
        lower.removeAll(rounds.contenders());
        for (LoaderConfig refused : lower) {
            search.explorePaired(List.of(refused), Phase.WORKERS, 1, rounds);
        }

        int drops = 0;
        for (LoaderConfig config : upper) {
            if (drops >= DROPS_THAT_END_THE_CLIMB) {
                break;
            }
            double best = bestRate(search, rounds);
            search.explorePaired(List.of(config), Phase.WORKERS, 1, rounds);
            // Who fails delivers nothing; of whom was refused nothing is known.
            if (!search.replay().wasTried(config)) {
                continue;
            }
            double rate = search.replay().rate(config).orElse(0);
            if (rate > best) {
                drops = 0;
            } else if (rate * (1 + search.resolvableOrUsualDifference()) < best) {
                drops++;
            }
        }
    }

    /** Halves the gaps beside the leader, whoever that comes to be, for as long as a step could be told and time is left. */
    private static void lookBetween(Search search, LoaderConfig start, PairedRounds<LoaderConfig> rounds)
            throws Pending {
        NavigableSet<Integer> seen = new TreeSet<>(ladder(search.settings()));
        List<Integer> between = between(search, rounds, seen);
        while (!between.isEmpty()) {
            List<LoaderConfig> configs = between.stream()
                    .map(workers -> withWorkers(search, start, workers))
                    .toList();
            search.explorePaired(configs, Phase.WORKERS, 1, rounds);
            seen.addAll(between);
            between = between(search, rounds, seen);
        }
    }

    private static List<Integer> between(Search search, PairedRounds<LoaderConfig> rounds, NavigableSet<Integer> seen) {
        List<LoaderConfig> ranked = Ranking.byRate(rounds.contenders(), search.replay());
        if (ranked.isEmpty()) {
            return List.of();
        }
        LoaderConfig leader = Ranking.front(search, ranked, rounds).leader();
        Integer fewer = seen.lower(leader.numWorkers());
        Integer more = seen.higher(leader.numWorkers());
        Set<Integer> plateau = plateau(search, leader, rounds);
        Set<Integer> between = new TreeSet<>();
        if (!plateau.contains(fewer) || !plateau.contains(more)) {
            halfwayUp(search, fewer, leader.numWorkers(), rounds).ifPresent(between::add);
            halfway(search, leader.numWorkers(), more).ifPresent(between::add);
        }
        return List.copyOf(between);
    }

    /** Who cannot be told from the leader: where both its neighbours are of them, nothing is to be found between. */
    private static Set<Integer> plateau(Search search, LoaderConfig leader, PairedRounds<LoaderConfig> rounds) {
        double within = 1 / (1 + search.resolvableOrUsualDifference());
        return rounds.contenders().stream()
                .filter(config -> rounds.middleRatio(config, leader).orElse(0) > within)
                .map(LoaderConfig::numWorkers)
                .collect(Collectors.toSet());
    }

    /** What lies halfway if, by what fewer of them gave, it may be as fast as the leader. */
    private static Optional<Integer> halfwayUp(
            Search search, @Nullable Integer fewer, int more, PairedRounds<LoaderConfig> rounds) {
        return fewer == null
                ? Optional.empty()
                : halfway(search, fewer, more).filter(workers -> mayCatchUp(search, rounds, fewer, workers));
    }

    /** The value nearest to the middle, if a step could be told: so many times the workers are at most so many times the rate. */
    private static Optional<Integer> halfway(Search search, int fewer, @Nullable Integer more) {
        if (more == null) {
            return Optional.empty();
        }
        return search.settings().space().numWorkers().stream()
                .filter(workers -> workers > fewer && workers < more)
                .min(Comparator.comparingInt(workers -> Math.abs(2 * workers - fewer - more)))
                .filter(workers -> more > Math.max(1, workers) * (1 + search.resolvableOrUsualDifference()));
    }

    /** Whether the leader's rate is within reach of a number of workers, by what fewer of them gave. */
    private static boolean mayCatchUp(Search search, PairedRounds<LoaderConfig> rounds, int fewer, int workers) {
        double most = (double) workers / Math.max(1, fewer) * (1 + search.resolvableOrUsualDifference());
        return rounds.contenders().stream()
                .filter(config -> config.numWorkers() == fewer)
                .allMatch(config -> search.replay().rate(config).orElse(0) * most >= bestRate(search, rounds));
    }

    private static double bestRate(Search search, PairedRounds<LoaderConfig> rounds) {
        return Ranking.byRate(rounds.contenders(), search.replay()).stream()
                .mapToDouble(config -> search.replay().rate(config).orElse(0))
                .findFirst()
                .orElse(0);
    }

    /**
     * Every value where there are few; else those nearest to 0, 1, 2, 3 and outward by half as much again, the cores and
     * warm starts included.
     */
    static List<Integer> ladder(SearchSettings settings) {
        List<Integer> values = settings.space().numWorkers();
        TreeSet<Integer> wanted = new TreeSet<>();
        for (int step = 1; step <= LoaderConfig.MAX_WORKERS; step *= 2) {
            wanted.add(step);
            wanted.add(step + step / 2);
        }
        wanted.add(0);
        wanted.add((int) Math.floor(settings.usableCores()));
        wanted.add(settings.baseline().numWorkers());
        settings.warmStart().forEach(config -> wanted.add(config.numWorkers()));
        wanted.add(values.get(values.size() - 1));
        return values.size() <= MOST_THAT_ARE_ALL_TRIED
                ? values
                : wanted.stream()
                        .map(workers -> SearchSpace.nearest(values, workers))
                        .distinct()
                        .toList();
    }

    private static LoaderConfig withWorkers(Search search, LoaderConfig start, int workers) {
        Integer prefetch = start.prefetchFactor();
        return search.settings()
                .space()
                .config(
                        workers,
                        prefetch == null ? OneAtATime.startingPrefetch(search.settings()) : prefetch,
                        start.pinMemory(),
                        start.batchSize());
    }

    private static void explain(Search search, LoaderConfig start, Front front, PairedRounds<LoaderConfig> rounds) {
        LoaderConfig from =
                withWorkers(search, start, search.settings().baseline().numWorkers());
        LoaderConfig to = front.leader();
        Ratio ratio = (from.equals(to) ? Comparisons.nearest(to, rounds) : Optional.of(to))
                .flatMap(other -> rounds.ratio(other, from))
                .orElse(null);
        String curve = curve(rounds.contenders(), search.replay());
        String carried = front.carried().isEmpty()
                ? ""
                : "; not told from it and carried: "
                        + front.carried().stream()
                                .map(Setting.NUM_WORKERS::valueIn)
                                .collect(Collectors.joining(", "));
        String text = from.equals(to)
                ? "num_workers stays %d: %s%s".formatted(to.numWorkers(), curve, carried)
                : "num_workers %d → %d: %s; %s%s"
                        .formatted(
                                from.numWorkers(),
                                to.numWorkers(),
                                ratio == null ? "not compared" : Sentences.ratio(ratio),
                                curve,
                                carried);
        search.explain(new Explanation(
                Setting.NUM_WORKERS.parameterName(),
                Setting.NUM_WORKERS.valueIn(from),
                Setting.NUM_WORKERS.valueIn(to),
                ratio,
                from.equals(to) ? Explanation.Decision.STAYED : Explanation.Decision.MOVED,
                text));
        Comparisons.explain(search, Setting.NUM_WORKERS.parameterName(), Setting.NUM_WORKERS::valueIn, front, rounds);
    }

    private static String curve(Collection<LoaderConfig> configs, Replay replay) {
        return configs.stream()
                .sorted(Comparator.comparingInt(LoaderConfig::numWorkers))
                .map(config -> config.numWorkers() + " gave "
                        + Sentences.rate(replay.rate(config).orElse(0)))
                .collect(Collectors.joining(", "));
    }
}
