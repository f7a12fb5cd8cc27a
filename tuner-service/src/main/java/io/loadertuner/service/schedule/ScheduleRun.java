package io.loadertuner.service.schedule;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One time that a schedule was due.
 *
 * @param openAttempts how often it was begun before and not ended
 * @param outcome null before it is over
 * @param report null before it is over
 * @param studyId the study that followed; null where none did
 */
record ScheduleRun(
        long run,
        String scheduleId,
        Instant dueAt,
        State state,
        int openAttempts,
        @Nullable Outcome outcome,
        @Nullable RunReport report,
        @Nullable String studyId,
        @Nullable Instant endedAt) {

    enum State {
        QUEUED,
        RUNNING,
        DONE;

        String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
