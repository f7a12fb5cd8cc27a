package io.loadertuner.service.study;

import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.tuning.Preparation;
import io.loadertuner.core.tuning.TrialRecord;
import io.loadertuner.core.tuning.TrialReport;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A retry as it is answered.
 *
 * @param state {@code queued running complete failed}
 * @param endedAt null before it ended
 */
record RetryAnswer(
        Retry.State state,
        String askedAt,
        @Nullable String endedAt,
        @Nullable Throughput throughput,
        @Nullable Double startupSeconds,
        @Nullable Double firstBatchSeconds,
        @Nullable Long peakMemoryBytes,
        @Nullable Long sharedMemoryBytes,
        @Nullable TrialFailure failure) {

    static RetryAnswer of(Retry retry, TrialRecord trial, Optional<Preparation> preparation) {
        TrialReport report = TrialReport.of(
                new TrialRecord(trial.number(), trial.config(), 0, retry.rounds(), retry.failure()), preparation);
        return new RetryAnswer(
                retry.state(),
                retry.askedAt().toString(),
                retry.endedAt() == null ? null : retry.endedAt().toString(),
                report.throughput(),
                report.startupSeconds(),
                report.firstBatchSeconds(),
                report.peakMemoryBytes(),
                report.sharedMemoryBytes(),
                report.failure());
    }
}
