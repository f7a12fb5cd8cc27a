package io.loadertuner.service.study;

import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.tuning.TrialRecord;
import io.loadertuner.core.tuning.TrialReport;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A trial with everything that is known of it.
 *
 * @param arrivalsMicros of each round: when each batch arrived, microseconds since the loader was begun; empty where that is kept
 *     no longer
 * @param log what the loading processes printed
 * @param retries in the order of asking
 */
public record ShownTrial(
        TrialRecord record, TrialReport report, List<List<Long>> arrivalsMicros, String log, List<ShownRetry> retries) {

    /**
     * What came of trying it again.
     *
     * @param state {@code queued running complete failed}
     * @param throughput null before it ended and where it failed
     * @param failure null where it did not fail
     */
    public record ShownRetry(
            String state,
            Instant askedAt,
            @Nullable Throughput throughput,
            @Nullable TrialFailure failure) {}
}
