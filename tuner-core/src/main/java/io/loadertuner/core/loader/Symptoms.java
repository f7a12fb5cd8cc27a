package io.loadertuner.core.loader;

import org.jspecify.annotations.Nullable;

/**
 * What a round showed of a loader's habits, beside its rate.
 *
 * @param waits for the batches of the window; null if unknown
 * @param copied memory that workers copied as they went on; null where there are none or it cannot be read
 * @param pickledBytes what was pickled to each worker; null where nothing was
 */
public record Symptoms(
        @Nullable Waits waits,
        @Nullable CopiedMemory copied,
        @Nullable Long pickledBytes) {
    public static final Symptoms NONE = new Symptoms(null, null, null);

    /** Median, 95th percentile and longest of the waits for a batch. */
    public record Waits(double p50Seconds, double p95Seconds, double maxSeconds) {}

    /**
     * Memory that workers shared with their parent when the first batch came, and what became of it.
     *
     * @param copiedBytes copied until the window had closed, over the workers watched
     * @param sharedBytes still shared then, over the workers watched
     * @param workers how many were watched, 1 or more
     * @param batches delivered meanwhile, by all workers
     */
    public record CopiedMemory(long copiedBytes, long sharedBytes, int workers, int batches) {}
}
