package io.loadertuner.service.schedule;

import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.tuning.StudyRequest;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it is asked for.
 *
 * @param study what is tuned and within which budget, as a study is posted
 * @param cron when
 * @param timeZone of the cron expression; UTC where none is given
 * @param jitterSeconds 0 where none is given
 * @param canarySeconds how long the canary looks, 5 to 600; 20 where nothing is given
 * @param enabled true where nothing is given
 */
record ScheduleRequest(
        StudyRequest study,
        String cron,
        @Nullable String timeZone,
        @Nullable Integer jitterSeconds,
        @Nullable Integer canarySeconds,
        @Nullable Boolean enabled) {
    private static final int USUAL_CANARY_SECONDS = 20;
    private static final int SHORTEST_CANARY_SECONDS = 5;
    private static final int LONGEST_CANARY_SECONDS = 600;

    /** @throws InvalidFieldException if a field cannot be accepted */
    ScheduleRequest {
        if (study == null) {
            throw new InvalidFieldException("study", "is missing; it is what is posted to /api/v1/studies");
        }
        if (cron == null) {
            throw new InvalidFieldException("cron", "is missing; '0 3 * * SUN' is every Sunday at three");
        }
        timeZone = timeZone == null ? "UTC" : timeZone;
        jitterSeconds = jitterSeconds == null ? Integer.valueOf(0) : jitterSeconds;
        canarySeconds = canarySeconds == null ? Integer.valueOf(USUAL_CANARY_SECONDS) : canarySeconds;
        InvalidFieldException.requireRange(
                "canary_seconds", canarySeconds, SHORTEST_CANARY_SECONDS, LONGEST_CANARY_SECONDS);
        enabled = enabled == null || enabled;
        new Timetable(cron, timeZone, jitterSeconds);
    }

    Timetable timetable() {
        return new Timetable(cron, timeZone == null ? "UTC" : timeZone, jitterSeconds == null ? 0 : jitterSeconds);
    }

    int canaryLength() {
        return canarySeconds == null ? USUAL_CANARY_SECONDS : canarySeconds;
    }

    boolean isEnabled() {
        return !Boolean.FALSE.equals(enabled);
    }

    ScheduleRequest with(StudyRequest admitted) {
        return new ScheduleRequest(admitted, cron, timeZone, jitterSeconds, canarySeconds, enabled);
    }
}
