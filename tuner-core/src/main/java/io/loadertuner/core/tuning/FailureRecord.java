package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.study.Ask;
import io.loadertuner.core.study.Phase;

/**
 * How a trial failed, as it is stored.
 *
 * @param phase what was to be measured
 * @param round number within the phase
 * @param costSeconds wall time until it had failed
 * @param elapsedSeconds the study's wall time then
 */
public record FailureRecord(Phase phase, int round, TrialFailure failure, double costSeconds, double elapsedSeconds) {

    /**
     * @param begunSeconds the study's wall time when the trial began
     * @param endedSeconds and when it had failed
     */
    static FailureRecord of(Ask ask, TrialFailure failure, double begunSeconds, double endedSeconds) {
        return new FailureRecord(ask.phase(), ask.round(), failure, endedSeconds - begunSeconds, endedSeconds);
    }
}
