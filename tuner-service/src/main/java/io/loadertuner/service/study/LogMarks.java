package io.loadertuner.service.study;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Marks what is logged with the study, and the trial, that it is about: they are fields of structured logs. */
final class LogMarks {
    private static final String STUDY = "study";
    private static final String TRIAL = "trial";

    private LogMarks() {}

    /** Does something for a study; trials that begin meanwhile are marked as well. */
    static void during(String study, Runnable work) {
        String studyBefore = MDC.get(STUDY);
        String trialBefore = MDC.get(TRIAL);
        MDC.put(STUDY, study);
        try {
            work.run();
        } finally {
            put(STUDY, studyBefore);
            put(TRIAL, trialBefore);
        }
    }

    /** From now on this thread works for that trial of its study. */
    static void trialBegun(int number) {
        MDC.put(TRIAL, String.valueOf(number));
    }

    static void trialEnded() {
        MDC.remove(TRIAL);
    }

    private static void put(String mark, @Nullable String value) {
        if (value == null) {
            MDC.remove(mark);
        } else {
            MDC.put(mark, value);
        }
    }
}
