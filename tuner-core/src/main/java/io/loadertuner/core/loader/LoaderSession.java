package io.loadertuner.core.loader;

import io.loadertuner.core.measure.RoundPlan;
import io.loadertuner.core.space.LoaderConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One dataset, built and ready to be loaded under one config after the other. Not for use by several threads. A failure
 * leaves the session usable: what may be tainted is replaced before the next call. When a call is interrupted, what it
 * started is ended.
 */
public interface LoaderSession extends AutoCloseable {

    /**
     * Reads one sample and one batch.
     *
     * @throws TrialFailedException if that fails, or the dataset is smaller than a batch
     */
    LoaderFacts check(int batchSize) throws TrialFailedException, InterruptedException;

    /**
     * Samples per second that the training step alone takes in, repeated on one batch.
     *
     * @throws TrialFailedException if the step or the batch fails
     * @throws IllegalStateException without a step
     */
    double stepAlone(LoaderConfig config) throws TrialFailedException, InterruptedException;

    /**
     * Builds the loader, measures one round and tears it down.
     *
     * @throws TrialFailedException if the config fails
     */
    MeasuredRound measure(LoaderConfig config, RoundPlan plan, boolean withStep)
            throws TrialFailedException, InterruptedException;

    /** What the loading processes printed since the last call, building the dataset included. */
    default ProcessLog takeLog() {
        return ProcessLog.EMPTY;
    }

    /**
     * Compares a bounded number of samples that this config delivers with those that are read without workers. For a loader
     * that cannot tell, nothing speaks against any config.
     *
     * @param atMost time for each pass that is read; a check reads a few
     * @return a warning: why they could not be compared, or what workers deliver otherwise though not wrongly; empty if
     *     nothing is to be said of the config
     * @throws TrialFailedException {@code wrong_data} if samples are wrong, doubled or missing; or what failed meanwhile
     */
    default Optional<String> verify(LoaderConfig config, Duration atMost)
            throws TrialFailedException, InterruptedException {
        return Optional.empty();
    }

    /**
     * Has two workers, started as those of the config are, read a few samples; takes about a second.
     *
     * @param config one with workers, under which a round has been measured
     * @return empty for a loader that has no such workers
     * @throws TrialFailedException if the workers or the samples fail
     */
    default Optional<Examination> examine(LoaderConfig config) throws TrialFailedException, InterruptedException {
        return Optional.empty();
    }

    /**
     * Seconds from the last batch of one pass over the data to the first of the next, where the loader is used as a training
     * script does.
     *
     * @param config one under which a round has been measured
     * @return empty for a loader whose passes cannot be made short
     * @throws TrialFailedException if a pass fails
     */
    default OptionalDouble epochGapSeconds(LoaderConfig config) throws TrialFailedException, InterruptedException {
        return OptionalDouble.empty();
    }

    /** Ends every process of the session. */
    @Override
    void close();
}
