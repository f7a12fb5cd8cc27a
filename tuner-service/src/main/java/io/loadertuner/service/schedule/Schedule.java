package io.loadertuner.service.schedule;

import io.loadertuner.core.tuning.StudyRequest;
import java.time.Instant;

/**
 * A schedule as it is stored.
 *
 * @param made its place in the order of making
 * @param request what is tuned, as admitted
 */
record Schedule(
        String id,
        long made,
        StudyRequest request,
        Timetable timetable,
        int canarySeconds,
        boolean enabled,
        Instant createdAt,
        Instant changedAt) {

    String dataset() {
        return request.name();
    }

    String machineType() {
        return String.valueOf(request.machineType());
    }
}
