package io.loadertuner.core.model;

import io.loadertuner.core.space.LoaderConfig;
import java.util.Optional;

/**
 * How much memory there is, and what processes take of it.
 *
 * @param sharedBytes size of {@code /dev/shm}, above 0
 * @param hostBytes all memory, shared memory included, above 0
 * @param processBytes what each worker and each training process takes besides batches, at least 0
 */
public record ModelledMemory(double sharedBytes, double hostBytes, double processBytes) {

    public ModelledMemory {
        Bounds.positive("sharedBytes", sharedBytes);
        Bounds.positive("hostBytes", hostBytes);
        Bounds.notNegative("processBytes", processBytes);
    }

    public static ModelledMemory unlimited() {
        return new ModelledMemory(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 0);
    }

    /** What becomes of {@code ranks} loaders whose queues are full, each with one more batch in its trainer's hands. */
    Optional<ModelledFailure> failure(LoaderConfig config, double batchBytes, int ranks) {
        double queued = ranks * config.batchesInFlight() * batchBytes;
        if (queued > sharedBytes) {
            return Optional.of(ModelledFailure.SHARED_MEMORY_EXHAUSTED);
        }
        double held = queued + ranks * (batchBytes + (1.0 + config.numWorkers()) * processBytes);
        return held > hostBytes ? Optional.of(ModelledFailure.HOST_OUT_OF_MEMORY) : Optional.empty();
    }
}
