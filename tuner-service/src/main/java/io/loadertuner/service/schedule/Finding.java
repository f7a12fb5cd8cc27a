package io.loadertuner.service.schedule;

import io.loadertuner.service.recommendation.Incumbent;
import org.jspecify.annotations.Nullable;

/**
 * What a run came to, before it is stored.
 *
 * @param incumbent what was recommended when it began; null where nothing was
 */
record Finding(Outcome outcome, RunReport report, @Nullable Incumbent incumbent) {

    /** Whether a study is to follow. */
    boolean asksForAStudy() {
        return outcome == Outcome.FIRST || outcome == Outcome.CHANGED || outcome == Outcome.DRIFTED;
    }
}
