package io.loadertuner.service.schedule;

import java.util.Locale;

/** What came of a run. */
enum Outcome {
    /** Nothing was known, so a study follows. */
    FIRST,
    /** The descriptor or the software is another than was measured, so a study follows. */
    CHANGED,
    /** The rates have moved beyond noise, so a study follows. */
    DRIFTED,
    /** The rates are as they were. */
    QUIET,
    /** Other processes used the processor: nothing can be said. */
    DISTURBED,
    /** The dataset could not be loaded, or may not be any more. */
    FAILED;

    String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Outcome of(String code) {
        return valueOf(code.toUpperCase(Locale.ROOT));
    }
}
