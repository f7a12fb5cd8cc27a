package io.loadertuner.core.tuning;

import io.loadertuner.core.space.InvalidFieldException;
import org.jspecify.annotations.Nullable;

/**
 * Limits that the recommended config must keep.
 *
 * @param maxNumWorkers at least 0
 * @param maxHostMemoryBytes for the batches in flight, at least 1
 * @param maxGpuMemoryBytes for one batch on the GPU, at least 1
 */
public record Constraints(
        @Nullable Integer maxNumWorkers,
        @Nullable Long maxHostMemoryBytes,
        @Nullable Long maxGpuMemoryBytes) {
    static final Constraints NONE = new Constraints(null, null, null);

    public Constraints {
        if (maxNumWorkers != null && maxNumWorkers < 0) {
            throw new InvalidFieldException("max_num_workers", "must be at least 0, but is " + maxNumWorkers);
        }
        requirePositive("max_host_memory_bytes", maxHostMemoryBytes);
        requirePositive("max_gpu_memory_bytes", maxGpuMemoryBytes);
    }

    private static void requirePositive(String field, @Nullable Long value) {
        if (value != null && value < 1) {
            throw new InvalidFieldException(field, "must be at least 1, but is " + value);
        }
    }
}
