package io.loadertuner.core.study;

import io.loadertuner.core.space.InvalidFieldException;
import org.jspecify.annotations.Nullable;

/**
 * What a study may cost.
 *
 * @param seconds wall time, 10 to 86,400; 300 where none is given
 * @param trials distinct configs measured, 1 to 10,000; 60 where none is given
 */
public record Budget(@Nullable Integer seconds, @Nullable Integer trials) {
    public static final int MAX_SECONDS = 86_400;
    public static final int MAX_TRIALS = 10_000;
    public static final Budget DEFAULT = new Budget(null, null);

    public Budget {
        seconds = seconds == null ? Integer.valueOf(300) : seconds;
        trials = trials == null ? Integer.valueOf(60) : trials;
        InvalidFieldException.requireRange("seconds", seconds, 10, MAX_SECONDS);
        InvalidFieldException.requireRange("trials", trials, 1, MAX_TRIALS);
    }

    public double wallSeconds() {
        return seconds == null ? 0 : seconds;
    }

    public int maxTrials() {
        return trials == null ? 0 : trials;
    }
}
