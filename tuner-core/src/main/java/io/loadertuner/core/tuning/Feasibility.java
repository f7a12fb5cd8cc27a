package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.space.LoaderConfig;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether a config can work at all: predicted from one batch, before a trial. A full queue holds workers × prefetch
 * batches, one more is being read by the step.
 */
final class Feasibility {
    private static final double MEBIBYTE = 1024.0 * 1024;

    private final Machine machine;
    private final LoaderFacts facts;
    private final Constraints constraints;

    Feasibility(Machine machine, LoaderFacts facts, Constraints constraints) {
        this.machine = machine;
        this.facts = facts;
        this.constraints = constraints;
    }

    /** Why this config must not be tried; empty where it may be. */
    Optional<String> obstacle(LoaderConfig config) {
        Integer maxWorkers = constraints.maxNumWorkers();
        if (maxWorkers != null && config.numWorkers() > maxWorkers) {
            return Optional.of("max_num_workers is " + maxWorkers);
        }
        Long length = facts.length();
        if (length != null && config.batchSize() > length) {
            return Optional.of(
                    "the dataset has %d samples, fewer than one batch of %d".formatted(length, config.batchSize()));
        }
        long batchBytes = batchBytes(config);
        long queueBytes = config.batchesInFlight() * batchBytes;
        if (config.numWorkers() > 0 && queueBytes > machine.sharedMemoryFreeBytes()) {
            return Optional.of(
                    tooMuch("a full queue", queueBytes, "free in /dev/shm", machine.sharedMemoryFreeBytes()));
        }
        long hostBytes = queueBytes + batchBytes;
        if (machine.memoryBytes() > 0 && hostBytes > machine.memoryBytes()) {
            return Optional.of(tooMuch("batches in flight", hostBytes, "this machine's memory", machine.memoryBytes()));
        }
        Long maxHost = constraints.maxHostMemoryBytes();
        if (maxHost != null && hostBytes > maxHost) {
            return Optional.of(tooMuch("batches in flight", hostBytes, "max_host_memory_bytes", maxHost));
        }
        Long maxGpu = constraints.maxGpuMemoryBytes();
        if (facts.onGpu() && maxGpu != null && batchBytes > maxGpu) {
            return Optional.of(tooMuch("one batch", batchBytes, "max_gpu_memory_bytes", maxGpu));
        }
        return Optional.empty();
    }

    private long batchBytes(LoaderConfig config) {
        Long read = facts.batchBytes();
        if (read == null || facts.batchSamples() == 0) {
            return 0;
        }
        return Math.round((double) read / facts.batchSamples() * config.batchSize());
    }

    private static String tooMuch(String what, long bytes, String limit, long limitBytes) {
        return String.format(
                Locale.ROOT,
                "%s would take %.0f MiB, more than %s: %.0f MiB",
                what,
                bytes / MEBIBYTE,
                limit,
                limitBytes / MEBIBYTE);
    }
}
