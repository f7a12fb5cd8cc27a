package io.loadertuner.core.study;

import org.jspecify.annotations.Nullable;

/**
 * What came of an ask.
 *
 * @param samplesPerSecond the rate; null if the trial failed
 * @param failure the name of the failure; null if it did not fail
 * @param costSeconds wall time that it took, start-up and shutdown included, rejected repeats left out
 * @param elapsedSeconds the study's wall time when it ended, time in which the tuner was not running left out
 */
public record Observation(
        Ask ask,
        @Nullable Double samplesPerSecond,
        @Nullable String failure,
        double costSeconds,
        double elapsedSeconds) {

    public Observation {
        if ((samplesPerSecond == null) == (failure == null)) {
            throw new IllegalArgumentException("an observation is either a rate or a failure");
        }
        if (samplesPerSecond != null && !(samplesPerSecond > 0 && samplesPerSecond < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("a rate is a positive number, but is " + samplesPerSecond);
        }
    }
}
