package io.loadertuner.service.schedule;

import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.measure.Movement;
import io.loadertuner.core.measure.Visit;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run as it is answered.
 *
 * @param state {@code queued}, {@code running} or {@code done}
 * @param outcome null before it is over
 * @param text what it found, in words; empty before it is over
 * @param study the study that followed; null where none did
 */
public record RunAnswer(
        Instant dueAt,
        String state,
        @Nullable String outcome,
        String text,
        @Nullable Visit rates,
        @Nullable Movement movement,
        List<String> changes,
        @Nullable TrialFailure failure,
        @Nullable String study,
        @Nullable Instant endedAt) {

    static RunAnswer of(ScheduleRun run) {
        RunReport report = run.report() == null ? RunReport.of("") : run.report();
        return new RunAnswer(
                run.dueAt(),
                run.state().code(),
                run.outcome() == null ? null : run.outcome().code(),
                report.text(),
                report.rates(),
                report.movement(),
                report.changes(),
                report.failure(),
                run.studyId(),
                run.endedAt());
    }
}
