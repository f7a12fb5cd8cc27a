package io.loadertuner.service.study;

import io.loadertuner.core.tuning.FailureRecord;
import io.loadertuner.core.tuning.RoundRecord;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A failed trial that is tried again because somebody asked for it.
 *
 * @param asked its place in the order of asking
 * @param openAttempts how often it was begun and neither ended nor given up in an orderly way
 * @param rounds that were measured, none before it ended
 * @param failure null before it ended and if it did not fail
 * @param endedAt null before it ended
 */
record Retry(
        long asked,
        String studyId,
        int trial,
        State state,
        int openAttempts,
        List<RoundRecord> rounds,
        @Nullable FailureRecord failure,
        Instant askedAt,
        @Nullable Instant endedAt) {

    enum State {
        QUEUED,
        RUNNING,
        COMPLETE,
        FAILED;

        String column() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    boolean isOver() {
        return state == State.COMPLETE || state == State.FAILED;
    }
}
