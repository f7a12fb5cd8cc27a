package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.space.LoaderConfig;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a config will take, told before it is tried from the one batch that was read and the process that read it. A full
 * queue holds workers × prefetch batches in shared memory; the step reads one more. A forked worker shares the memory of the
 * process that forked it, and counts for nothing but its batches; a spawned one is counted as a process of its own, with the
 * files that it may share with the others.
 */
public final class MemoryForecast {
    private final LoaderFacts facts;
    private final int ranks;

    /** @param ranks training processes, each with a queue and a batch in hand of its own */
    public MemoryForecast(LoaderFacts facts, int ranks) {
        this.facts = facts;
        this.ranks = ranks;
    }

    /** Bytes of a full queue, which lies in shared memory; null where no batch could be weighed. */
    public @Nullable Long sharedMemoryBytes(LoaderConfig config) {
        Long batch = batchBytes(config);
        return batch == null ? null : Long.valueOf((long) ranks * config.batchesInFlight() * batch);
    }

    /** Bytes of all batches in flight, the one that the step reads among them; null where no batch could be weighed. */
    @Nullable
    Long batchesBytes(LoaderConfig config) {
        Long batch = batchBytes(config);
        return batch == null ? null : Long.valueOf(ranks * (config.batchesInFlight() + 1L) * batch);
    }

    /** Bytes of the loading processes with all batches in flight; null where one of both is not known. */
    public @Nullable Long memoryBytes(LoaderConfig config) {
        Long batches = batchesBytes(config);
        Long process = facts.processBytes();
        return batches == null || process == null ? null : Long.valueOf(processes(config) * process + batches);
    }

    /** What the config cannot do without: one process for each rank, and all batches in flight. */
    @Nullable
    Long leastBytes(LoaderConfig config) {
        Long batches = batchesBytes(config);
        Long process = facts.processBytes();
        return batches == null || process == null ? null : Long.valueOf(ranks * process + batches);
    }

    /** Adds to exhausted shared memory what a full queue takes. */
    TrialFailure estimated(TrialFailure failure, LoaderConfig config) {
        Long estimate = sharedMemoryBytes(config);
        if (failure.reason() != FailureReason.SHARED_MEMORY_EXHAUSTED || estimate == null) {
            return failure;
        }
        Map<String, Object> details = new LinkedHashMap<>(failure.details());
        details.put("shared_memory_estimate_bytes", estimate);
        return new TrialFailure(failure.reason(), failure.message(), failure.advice(), details);
    }

    /** Bytes of one batch; null where none could be weighed. */
    @Nullable
    Long batchBytes(LoaderConfig config) {
        Long read = facts.batchBytes();
        return read == null || facts.batchSamples() == 0
                ? null
                : Long.valueOf(Math.round((double) read / facts.batchSamples() * config.batchSize()));
    }

    /** Processes that share no memory with each other. */
    private long processes(LoaderConfig config) {
        String asked = config.multiprocessingContext();
        String method = asked == null ? facts.startMethod() : asked;
        return ranks * (method == null || method.equals("fork") ? 1 : 1L + config.numWorkers());
    }
}
