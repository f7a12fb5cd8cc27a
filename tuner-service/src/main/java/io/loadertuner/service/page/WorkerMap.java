package io.loadertuner.service.page;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Skip;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The best rate at each number of workers and each prefetch factor.
 *
 * @param workers a column each
 * @param rows a prefetch factor each; the first is that of no workers where such were looked at
 */
public record WorkerMap(List<Integer> workers, List<Row> rows) {
    /** Shades, from the least to the best. */
    static final int SHADES = 8;

    /** @param prefetch {@code none} without workers */
    public record Row(String prefetch, List<Cell> cells) {}

    /**
     * @param kind {@code measured failed skipped} or {@code empty}
     * @param shade from 0 to 7
     * @param chosen whether the answer is here
     */
    public record Cell(
            String kind,
            int shade,
            boolean chosen,
            String text,
            String tip,
            @Nullable String link) {}

    static WorkerMap of(List<TrialLine> trials, List<Skip> skipped) {
        TreeSet<Integer> workers = new TreeSet<>();
        TreeSet<Integer> prefetches = new TreeSet<>();
        trials.forEach(trial -> add(trial.config(), workers, prefetches));
        skipped.forEach(skip -> add(skip.config(), workers, prefetches));
        double best = trials.stream().mapToDouble(TrialLine::rate).max().orElse(0);
        List<Row> rows = new ArrayList<>();
        for (int prefetch : prefetches) {
            rows.add(new Row(
                    prefetch == 0 ? "none" : String.valueOf(prefetch),
                    workers.stream()
                            .map(count -> cell(count, prefetch, trials, skipped, best))
                            .toList()));
        }
        return new WorkerMap(List.copyOf(workers), rows);
    }

    /** Whether there is anything to compare. */
    public boolean isWorthShowing() {
        return workers.size() > 1 && rows.size() > 1;
    }

    private static void add(LoaderConfig config, TreeSet<Integer> workers, TreeSet<Integer> prefetches) {
        workers.add(config.numWorkers());
        prefetches.add(prefetch(config));
    }

    private static int prefetch(LoaderConfig config) {
        Integer factor = config.prefetchFactor();
        return factor == null ? 0 : factor;
    }

    private static Cell cell(int workers, int prefetch, List<TrialLine> trials, List<Skip> skipped, double best) {
        List<TrialLine> here = trials.stream()
                .filter(trial -> trial.config().numWorkers() == workers && prefetch(trial.config()) == prefetch)
                .toList();
        Optional<TrialLine> fastest =
                here.stream().filter(trial -> trial.rate() > 0).max(Comparator.comparingDouble(TrialLine::rate));
        boolean chosen = here.stream().anyMatch(TrialLine::isChosen);
        if (fastest.isPresent()) {
            TrialLine trial = fastest.get();
            int shade = (int) Math.min(SHADES - 1, Math.floor(SHADES * trial.rate() / best));
            return new Cell("measured", shade, chosen, Words.number(trial.rate()), trial.tip(), trial.address());
        }
        if (!here.isEmpty()) {
            TrialLine trial = here.get(0);
            boolean failed = trial.record().failure() != null;
            return new Cell(
                    failed ? "failed" : "empty", 0, chosen, failed ? "failed" : "…", trial.tip(), trial.address());
        }
        return skipped.stream()
                .filter(skip -> skip.config().numWorkers() == workers && prefetch(skip.config()) == prefetch)
                .findFirst()
                .map(skip -> new Cell("skipped", 0, false, "skipped", skip.reason(), null))
                .orElse(new Cell("empty", 0, false, "", "", null));
    }
}
