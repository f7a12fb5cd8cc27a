package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.study.Phase;
import org.jspecify.annotations.Nullable;

/**
 * One round of a trial as it is stored.
 *
 * @param phase what it was measured for
 * @param round number within the phase; rounds of one phase and number are paired
 * @param rejected repeats thrown away before it because other processes used the processor
 * @param busy whether other processes used the processor in this one too
 * @param costSeconds wall time it took, rejected repeats left out
 * @param elapsedSeconds the study's wall time when it ended
 * @param epochGapSeconds time from the last batch of one pass over the data to the first of the next, looked at after
 *     the round; null where it was not
 */
public record RoundRecord(
        Phase phase,
        int round,
        double samplesPerSecond,
        int rejected,
        boolean busy,
        double costSeconds,
        double elapsedSeconds,
        RoundMeasurement measurement,
        @Nullable Double epochGapSeconds) {

    public boolean withStep() {
        return phase != Phase.LOADER_ALONE;
    }
}
