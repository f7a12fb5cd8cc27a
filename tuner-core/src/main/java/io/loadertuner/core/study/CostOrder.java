package io.loadertuner.core.study;

import io.loadertuner.core.space.LoaderConfig;
import java.util.Comparator;
import java.util.Objects;

/**
 * Which of two equally fast configs costs less: fewer workers, less memory for batches in flight, a prefetch factor of 2
 * before others, no pinning, a smaller batch.
 */
final class CostOrder {
    private CostOrder() {}

    static Comparator<LoaderConfig> cheapestFirst(long sampleBytes) {
        return Comparator.comparingInt(LoaderConfig::numWorkers)
                .thenComparingLong(config -> queueBytes(config, sampleBytes))
                .thenComparing(config -> !Objects.equals(config.prefetchFactor(), LoaderConfig.DEFAULT_PREFETCH))
                .thenComparing(LoaderConfig::pinMemory)
                .thenComparingInt(LoaderConfig::batchSize);
    }

    private static long queueBytes(LoaderConfig config, long sampleBytes) {
        return (long) config.batchesInFlight() * config.batchSize() * Math.max(1, sampleBytes);
    }
}
