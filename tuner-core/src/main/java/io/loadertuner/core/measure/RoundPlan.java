package io.loadertuner.core.measure;

import io.loadertuner.core.space.LoaderConfig;

/**
 * When a round's window opens and closes.
 *
 * <p>The queue of a loader fills while nobody reads, and batches come in clumps of one per worker. So the first cycle is
 * never measured, and a window holds whole cycles: it ends on the same worker's batch as it began.
 *
 * @param warmupBatches batches before the window may open
 * @param warmupSeconds seconds before the window may open, since the first batch (without workers: since the start)
 * @param windowSeconds the least length of a window
 * @param cycle batches in a cycle: one per worker
 * @param minCycles the least number of cycles in a window
 * @param maxWindowSeconds when a window closes at the next whole cycle though it holds fewer than {@code minCycles}
 */
public record RoundPlan(
        int warmupBatches,
        double warmupSeconds,
        double windowSeconds,
        int cycle,
        int minCycles,
        double maxWindowSeconds) {

    private static final double WARMUP_SECONDS_WITH_WORKERS = 0.5;
    private static final double WARMUP_SECONDS_WITHOUT_WORKERS = 1.5;
    private static final double WINDOW_SECONDS = 1.0;
    private static final double MAX_WINDOW_SECONDS = 10.0;

    /** A first look: a window of about a second, at least two cycles. */
    public static RoundPlan exploring(LoaderConfig config) {
        return of(config, 2);
    }

    /** For a comparison that decides something: at least four cycles. */
    public static RoundPlan confirming(LoaderConfig config) {
        return of(config, 4);
    }

    private static RoundPlan of(LoaderConfig config, int minCycles) {
        boolean workers = config.numWorkers() > 0;
        return new RoundPlan(
                config.cycle(),
                workers ? WARMUP_SECONDS_WITH_WORKERS : WARMUP_SECONDS_WITHOUT_WORKERS,
                WINDOW_SECONDS,
                config.cycle(),
                minCycles,
                MAX_WINDOW_SECONDS);
    }

    /**
     * The least time that warm-up and window take at this rate, start-up not counted: whole cycles both.
     *
     * @param samplesPerSecond a rate already seen, above 0
     */
    public double predictedSeconds(int batchSize, double samplesPerSecond) {
        double cycleSeconds = (double) cycle * batchSize / samplesPerSecond;
        double warmupCycles = Math.max((double) warmupBatches / cycle, Math.ceil(warmupSeconds / cycleSeconds));
        double windowCycles = Math.max(minCycles, Math.ceil(windowSeconds / cycleSeconds));
        double mostCycles = Math.ceil(maxWindowSeconds / cycleSeconds);
        return (warmupCycles + Math.min(windowCycles, mostCycles)) * cycleSeconds;
    }
}
