package io.loadertuner.core.space;

import org.jspecify.annotations.Nullable;

/**
 * One point of the search space: the settings of one data loader, named as in PyTorch.
 *
 * @param numWorkers worker processes, 0 to {@value #MAX_WORKERS}; 0 loads in the training process itself
 * @param prefetchFactor batches in flight per worker, 1 to {@value #MAX_PREFETCH}; null exactly when there are no workers
 * @param pinMemory whether batches are copied into page-locked memory
 * @param batchSize samples per batch, 1 to {@value #MAX_BATCH}
 * @param persistentWorkers whether workers outlive an epoch; false when there are none
 * @param nonBlocking whether copies to the device are asynchronous
 * @param multiprocessingContext {@code fork}, {@code spawn} or {@code forkserver}; null leaves it to PyTorch, and
 *     is what there is without workers
 */
public record LoaderConfig(
        int numWorkers,
        @Nullable Integer prefetchFactor,
        boolean pinMemory,
        int batchSize,
        boolean persistentWorkers,
        boolean nonBlocking,
        @Nullable String multiprocessingContext) {

    public static final int MAX_WORKERS = 1024;
    public static final int MAX_PREFETCH = 1024;
    public static final int MAX_BATCH = 1 << 20;

    /** PyTorch's own {@code prefetch_factor} where there are workers. */
    public static final int DEFAULT_PREFETCH = 2;

    public LoaderConfig {
        InvalidFieldException.requireRange("num_workers", numWorkers, 0, MAX_WORKERS);
        InvalidFieldException.requireRange("batch_size", batchSize, 1, MAX_BATCH);
        if (numWorkers == 0) {
            if (prefetchFactor != null) {
                throw new InvalidFieldException(
                        "prefetch_factor", "has no meaning without workers; leave it out where num_workers is 0");
            }
            if (persistentWorkers) {
                throw new InvalidFieldException(
                        "persistent_workers", "has no meaning without workers; leave it out where num_workers is 0");
            }
            if (multiprocessingContext != null) {
                throw new InvalidFieldException(
                        "multiprocessing_context",
                        "has no meaning without workers; leave it out where num_workers is 0");
            }
        } else if (prefetchFactor == null) {
            throw new InvalidFieldException("prefetch_factor", "is needed where num_workers is above 0");
        } else {
            InvalidFieldException.requireRange("prefetch_factor", prefetchFactor, 1, MAX_PREFETCH);
        }
        requireStartMethod(multiprocessingContext);
    }

    static void requireStartMethod(@Nullable String multiprocessingContext) {
        if (multiprocessingContext != null && !multiprocessingContext.matches("fork|spawn|forkserver")) {
            throw new InvalidFieldException(
                    "multiprocessing_context",
                    "must be fork, spawn or forkserver, but is '" + multiprocessingContext + "'");
        }
    }

    /** The constraint of {@code num_workers = 0} applied: what has no meaning without workers is left out. */
    public static LoaderConfig of(
            int numWorkers,
            int prefetchFactor,
            boolean pinMemory,
            int batchSize,
            boolean persistentWorkers,
            @Nullable String multiprocessingContext) {
        boolean workers = numWorkers > 0;
        return new LoaderConfig(
                numWorkers,
                workers ? Integer.valueOf(prefetchFactor) : null,
                pinMemory,
                batchSize,
                workers && persistentWorkers,
                pinMemory,
                workers ? multiprocessingContext : null);
    }

    /** Batches in a row, one from each worker (one where there are none): the unit in which batches arrive. */
    public int cycle() {
        return Math.max(1, numWorkers);
    }

    /** Batches that a full queue holds: workers × prefetch, 0 without workers. */
    public int batchesInFlight() {
        return prefetchFactor == null ? 0 : numWorkers * prefetchFactor;
    }

    /** A short form for people: {@code 2 workers, prefetch 2, batch 64, pinned}. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        text.append(numWorkers).append(numWorkers == 1 ? " worker" : " workers");
        if (prefetchFactor != null) {
            text.append(", prefetch ").append(prefetchFactor);
        }
        text.append(", batch ").append(batchSize);
        if (pinMemory) {
            text.append(", pinned");
        }
        if (multiprocessingContext != null) {
            text.append(", ").append(multiprocessingContext);
        }
        return text.toString();
    }
}
