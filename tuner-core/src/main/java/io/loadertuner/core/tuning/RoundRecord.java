package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.study.Ask;
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
 * @param epochGapSeconds time from the last batch of one pass over the data to the first of the next, looked at before
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

    /** @throws TrialFailedException if the round's rate or times are no numbers */
    static RoundRecord of(
            Ask ask,
            RoundRunner.Outcome outcome,
            RoundMeasurement measurement,
            @Nullable Double epochGapSeconds,
            double elapsedSeconds)
            throws TrialFailedException {
        double rate = measurement.window().samplesPerSecond();
        if (!Double.isFinite(rate)) {
            throw notANumber("%d samples in %s s are no rate"
                    .formatted(
                            measurement.window().samples(), measurement.window().seconds()));
        }
        double seconds = measurement.startupSeconds() + measurement.firstBatchSeconds() + measurement.waitSeconds();
        if (!Double.isFinite(seconds)) {
            throw notANumber("start-up, first batch and waiting took %s s, %s s and %s s"
                    .formatted(
                            measurement.startupSeconds(), measurement.firstBatchSeconds(), measurement.waitSeconds()));
        }
        return new RoundRecord(
                ask.phase(),
                ask.round(),
                rate,
                outcome.rejected(),
                outcome.busy(),
                outcome.costSeconds(),
                elapsedSeconds,
                measurement,
                epochGapSeconds);
    }

    private static TrialFailedException notANumber(String seen) {
        return new TrialFailedException(TrialFailure.of(FailureReason.RUNNER_ERROR, seen));
    }

    public boolean withStep() {
        return phase != Phase.LOADER_ALONE;
    }
}
