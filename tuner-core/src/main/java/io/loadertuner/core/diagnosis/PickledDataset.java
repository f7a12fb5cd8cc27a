package io.loadertuner.core.diagnosis;

import java.util.Optional;

/** A dataset that is pickled to every worker when it starts. */
public final class PickledDataset {
    private static final long MUCH_BYTES = 8L << 20;

    private PickledDataset() {}

    /**
     * @param bytes pickled to each worker
     * @param startupSeconds of the loader with all its workers
     */
    public static Optional<Finding> finding(long bytes, double startupSeconds, int numWorkers, String startMethod) {
        if (bytes < MUCH_BYTES) {
            return Optional.empty();
        }
        return Optional.of(
                Finding.advice(
                        "pickled_dataset",
                        Finding.text(
                                "workers are started by %s: %.0f MiB are pickled to each of %d, and starting them takes %.1f s; the throughput does not show that",
                                startMethod, Finding.mebibytes((double) bytes), numWorkers, startupSeconds),
                        "Hold the data in NumPy arrays, tensors or a mapped file instead of Python objects, or read it in the worker; keep workers with persistent_workers=True."));
    }
}
