package io.loadertuner.service.study;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in a study.
 *
 * @param id its place in the order of all events
 * @param trial number of the trial that it happened to; null for what happens to the study
 */
record StudyEvent(long id, Kind kind, @Nullable Integer trial) {

    enum Kind {
        /** A trial's first round is about to be measured. */
        TRIAL_STARTED,
        /** A trial has its first round, or has failed. */
        TRIAL_FINISHED,
        /** A trial that has been measured was measured once more. */
        TRIAL_SHARPENED,
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
