package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.Setting;
import io.loadertuner.core.study.Replay.Pending;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The number of workers, the setting with the largest effect: a ladder of one round each, outward with a growing stride.
 * Whoever one round cannot rule out is carried.
 */
final class WorkerSearch {
    private static final int RUNGS_WITHOUT_GAIN_THAT_END_THE_CLIMB = 2;

    private WorkerSearch() {}

    /** Led by {@code start} when no number of workers could be measured. */
    static Front run(Search search, LoaderConfig start) throws Pending {
        PairedRounds<LoaderConfig> rounds = new PairedRounds<>();
        climb(search, start, rounds);
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

        int rungsWithoutGain = 0;
        for (LoaderConfig config : upper) {
            if (rungsWithoutGain >= RUNGS_WITHOUT_GAIN_THAT_END_THE_CLIMB) {
                break;
            }
            double best = bestRate(search, rounds);
            search.explorePaired(List.of(config), Phase.WORKERS, 1, rounds);
            rungsWithoutGain = search.replay().rate(config).orElse(0) > best ? 0 : rungsWithoutGain + 1;
        }
    }

    private static double bestRate(Search search, PairedRounds<LoaderConfig> rounds) {
        return Ranking.byRate(rounds.contenders(), search.replay()).stream()
                .mapToDouble(config -> search.replay().rate(config).orElse(0))
                .findFirst()
                .orElse(0);
    }

    /** Every value where there are few; else 0, 1, 2, 3 and outward by half as much again, the cores and warm starts included. */
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
        return values.stream()
                .filter(value -> wanted.contains(value) || values.size() <= 5)
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
        Ratio ratio = from.equals(to) ? null : rounds.ratio(to, from).orElse(null);
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
    }

    private static String curve(Collection<LoaderConfig> configs, Replay replay) {
        return configs.stream()
                .sorted(Comparator.comparingInt(LoaderConfig::numWorkers))
                .map(config -> config.numWorkers() + " gave "
                        + Sentences.rate(replay.rate(config).orElse(0)))
                .collect(Collectors.joining(", "));
    }
}
