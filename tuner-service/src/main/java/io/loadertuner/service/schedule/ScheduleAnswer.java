package io.loadertuner.service.schedule;

import io.loadertuner.core.tuning.StudyRequest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it is answered.
 *
 * @param study what is tuned, as it was admitted: with absolute paths
 * @param nextRunAt null where it is not enabled
 * @param lastRun null before it ran
 */
public record ScheduleAnswer(
        String id,
        String dataset,
        String machineType,
        StudyRequest study,
        String cron,
        String timeZone,
        int jitterSeconds,
        int canarySeconds,
        boolean enabled,
        @Nullable Instant nextRunAt,
        @Nullable RunAnswer lastRun,
        Instant createdAt,
        Instant changedAt) {

    static ScheduleAnswer of(Schedule schedule, @Nullable Instant next, @Nullable ScheduleRun last) {
        return new ScheduleAnswer(
                schedule.id(),
                schedule.dataset(),
                schedule.machineType(),
                schedule.request(),
                schedule.timetable().cron(),
                schedule.timetable().timeZone(),
                schedule.timetable().jitterSeconds(),
                schedule.canarySeconds(),
                schedule.enabled(),
                next,
                last == null ? null : RunAnswer.of(last),
                schedule.createdAt(),
                schedule.changedAt());
    }
}
