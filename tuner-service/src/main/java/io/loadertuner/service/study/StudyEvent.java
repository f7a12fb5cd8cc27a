package io.loadertuner.service.study;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in a study.
 *
 * @param id its place in the order of all events
 * @param trial number of the trial that it happened to; null for what happens to the study
 * @param detail what it tells, as JSON; null for what tells how the study or the trial stands
 */
record StudyEvent(
        long id,
        Kind kind,
        @Nullable Integer trial,
        @Nullable String detail) {

    enum Kind {
        /** A trial's first round is about to be measured. */
        TRIAL_STARTED,
        /** A trial has its first round, or has failed. */
        TRIAL_FINISHED,
        /** A trial that has been measured was measured once more. */
        TRIAL_SHARPENED,
        /** The study was queued because the dataset does not load any more as it did. */
        DRIFT,
        /** The study recommends another config than was recommended before. */
        RECOMMENDATION_CHANGED,
        /** The study is over. */
        STUDY_FINISHED;

        String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Kind of(String code) {
            return valueOf(code.toUpperCase(Locale.ROOT));
        }
    }
}
