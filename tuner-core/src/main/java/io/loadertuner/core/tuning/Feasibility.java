package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.space.LoaderConfig;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether a config can work at all: predicted from one batch, before a trial. */
final class Feasibility {
    private static final double MEBIBYTE = 1024.0 * 1024;

    private final Machine machine;
    private final LoaderFacts facts;
    private final Constraints constraints;
    private final MemoryForecast forecast;
    private final int ranks;

    Feasibility(Machine machine, LoaderFacts facts, Constraints constraints, int ranks) {
        this.ranks = ranks;
        this.machine = machine;
        this.facts = facts;
        this.constraints = constraints;
        this.forecast = new MemoryForecast(facts, ranks);
    }

    /** Why this config must not be tried; empty where it may be. */
    Optional<String> obstacle(LoaderConfig config) {
        Integer maxWorkers = constraints.maxNumWorkers();
        if (maxWorkers != null && config.numWorkers() > maxWorkers) {
            return Optional.of("max_num_workers is " + maxWorkers);
        }
        Long length = facts.indexedLength();
        if (length != null && config.batchSize() > length / ranks) {
            return Optional.of("the dataset has %d samples%s, fewer than one batch of %d"
                    .formatted(
                            length,
                            ranks == 1 ? "" : ", " + length / ranks + " for each of " + ranks + " ranks",
                            config.batchSize()));
        }
        Long batches = forecast.batchesBytes(config);
        return tooMuch(
                        "a full queue",
                        config.numWorkers() == 0 ? null : forecast.sharedMemoryBytes(config),
                        "free in /dev/shm",
                        machine.sharedMemoryFreeBytes())
                .or(() -> tooMuch(
                        "batches in flight", batches, "max_host_memory_bytes", constraints.maxHostMemoryBytes()))
                .or(() -> tooMuch("batches in flight", batches, "this machine's memory", memoryBytes()))
                .or(() -> tooMuch(
                        "batches in flight and the process that reads them",
                        forecast.leastBytes(config),
                        "this machine's memory",
                        memoryBytes()))
                .or(() -> tooMuch(
                        "one batch",
                        facts.onGpu() ? forecast.batchBytes(config) : null,
                        "max_gpu_memory_bytes",
                        constraints.maxGpuMemoryBytes()));
    }

    private @Nullable Long memoryBytes() {
        return machine.memoryBytes() == 0 ? null : Long.valueOf(machine.memoryBytes());
    }

    private static Optional<String> tooMuch(
            String what, @Nullable Long bytes, String limit, @Nullable Long limitBytes) {
        if (bytes == null || limitBytes == null || bytes <= limitBytes) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "%s would take %.0f MiB, more than %s: %.0f MiB",
                what,
                bytes / MEBIBYTE,
                limit,
                limitBytes / MEBIBYTE));
    }
}
