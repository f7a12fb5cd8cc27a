package io.loadertuner.core.loader.truth;

import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.space.LoaderConfig;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads a bounded pass under a config. */
@FunctionalInterface
public interface DeliveryReader {

    /**
     * How much to read.
     *
     * @param batches the indices of each batch, for a map-style dataset; null has the loader choose
     * @param samplesPerBatch of a batch that the loader chooses
     * @param mostBatches batches, or samples of an iterable, after which to stop
     * @param seed of the indices and of global random number generators
     * @param workerSeed of what workers derive from torch's seed
     * @param inTurnAs workers as which the loading process, without any, reads an iterable: as the first of so many, then as
     *     the second, …; 0 for a plain reading
     * @param afresh whether a process is to read that has read nothing before
     * @param atMost time after which to stop, from the first batch on
     */
    record Request(
            @Nullable List<JsonNode> batches,
            int samplesPerBatch,
            int mostBatches,
            long seed,
            long workerSeed,
            int inTurnAs,
            boolean afresh,
            Duration atMost) {}

    /**
     * @throws TrialFailedException if nothing could be read to the end of the bounds
     */
    Deliveries read(LoaderConfig config, Request request) throws TrialFailedException, InterruptedException;
}
