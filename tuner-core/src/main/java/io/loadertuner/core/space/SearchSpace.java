package io.loadertuner.core.space;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The values each setting may take, with the constraints between them: without workers there is no prefetch factor and
 * there are no persistent workers, so all prefetch factors are one config there.
 *
 * @param numWorkers ascending, distinct, not empty
 * @param prefetchFactor ascending, distinct, not empty
 * @param pinMemory false before true, distinct, not empty
 * @param batchSize ascending, distinct, not empty
 * @param persistentWorkers what every config with workers has; not searched
 * @param multiprocessingContext what every config has; the user's choice, not searched
 */
public record SearchSpace(
        List<Integer> numWorkers,
        List<Integer> prefetchFactor,
        List<Boolean> pinMemory,
        List<Integer> batchSize,
        boolean persistentWorkers,
        @Nullable String multiprocessingContext) {

    /** More are neither listed in an instant nor ever searched. */
    public static final int MOST_CONFIGS = 100_000;

    /**
     * @throws InvalidFieldException if a value is out of its range, or there are more than {@value #MOST_CONFIGS} configs
     */
    public SearchSpace {
        numWorkers = ordered("num_workers", numWorkers);
        prefetchFactor = ordered("prefetch_factor", prefetchFactor);
        pinMemory = ordered("pin_memory", pinMemory);
        batchSize = ordered("batch_size", batchSize);
        for (int workers : numWorkers) {
            InvalidFieldException.requireRange("num_workers", workers, 0, LoaderConfig.MAX_WORKERS);
        }
        for (int prefetch : prefetchFactor) {
            InvalidFieldException.requireRange("prefetch_factor", prefetch, 1, LoaderConfig.MAX_PREFETCH);
        }
        for (int batch : batchSize) {
            InvalidFieldException.requireRange("batch_size", batch, 1, LoaderConfig.MAX_BATCH);
        }
        LoaderConfig.requireStartMethod(multiprocessingContext);
        requireFew(numWorkers, prefetchFactor, pinMemory, batchSize);
    }

    private static void requireFew(
            List<Integer> numWorkers, List<Integer> prefetchFactor, List<Boolean> pinMemory, List<Integer> batchSize) {
        long workers = numWorkers.stream().filter(count -> count > 0).count();
        boolean without = numWorkers.contains(0);
        double configs =
                (1.0 * workers * prefetchFactor.size() + (without ? 1 : 0)) * pinMemory.size() * batchSize.size();
        if (configs > MOST_CONFIGS) {
            Map<String, Integer> values = Map.of(
                    "num_workers", numWorkers.size(),
                    "prefetch_factor", prefetchFactor.size(),
                    "batch_size", batchSize.size());
            String most = Collections.max(values.entrySet(), Map.Entry.comparingByValue())
                    .getKey();
            throw new InvalidFieldException(
                    most,
                    "has %d values, which makes %.0f configs with those of the other settings; at most %d are searched: leave some out"
                            .formatted(values.get(most), configs, MOST_CONFIGS));
        }
    }

    /** The point with these values, each of which need not be in the space. */
    public LoaderConfig config(int workers, int prefetch, boolean pinned, int batch) {
        return LoaderConfig.of(workers, prefetch, pinned, batch, persistentWorkers, multiprocessingContext);
    }

    public boolean contains(LoaderConfig config) {
        return numWorkers.contains(config.numWorkers())
                && (config.prefetchFactor() == null || prefetchFactor.contains(config.prefetchFactor()))
                && pinMemory.contains(config.pinMemory())
                && batchSize.contains(config.batchSize())
                && config.persistentWorkers() == (persistentWorkers && config.numWorkers() > 0)
                && Objects.equals(
                        config.multiprocessingContext(), config.numWorkers() == 0 ? null : multiprocessingContext);
    }

    /** The config of the space whose every value is the nearest to that of {@code config}; of two as near, the lower one. */
    public LoaderConfig nearest(LoaderConfig config) {
        Integer prefetch = config.prefetchFactor();
        return config(
                nearest(numWorkers, config.numWorkers()),
                nearest(prefetchFactor, prefetch == null ? LoaderConfig.DEFAULT_PREFETCH : prefetch),
                pinMemory.contains(config.pinMemory()) ? config.pinMemory() : pinMemory.get(0),
                nearest(batchSize, config.batchSize()));
    }

    /**
     * The value that is nearest to the one wanted; of two as near, the first.
     *
     * @param values not empty
     */
    public static int nearest(List<Integer> values, int wanted) {
        return values.stream()
                .min(Comparator.comparingInt(value -> Math.abs(value - wanted)))
                .orElseThrow();
    }

    /** Every config of the space once. */
    public List<LoaderConfig> configs() {
        LinkedHashSet<LoaderConfig> configs = new LinkedHashSet<>();
        for (int batch : batchSize) {
            for (boolean pinned : pinMemory) {
                for (int workers : numWorkers) {
                    for (int prefetch : prefetchFactor) {
                        configs.add(config(workers, prefetch, pinned, batch));
                    }
                }
            }
        }
        return List.copyOf(configs);
    }

    private static <T extends Comparable<T>> List<T> ordered(String field, List<T> values) {
        if (values.isEmpty()) {
            throw new InvalidFieldException(field, "needs at least one value");
        }
        List<T> sorted = new ArrayList<>(new LinkedHashSet<>(values));
        sorted.sort(Comparator.naturalOrder());
        return List.copyOf(sorted);
    }
}
