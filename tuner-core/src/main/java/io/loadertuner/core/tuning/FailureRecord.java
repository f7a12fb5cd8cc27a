package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.study.Phase;

/**
 * How a trial failed, as it is stored.
 *
 * @param phase what was to be measured
 * @param round number within the phase
 * @param costSeconds wall time until it had failed
 * @param elapsedSeconds the study's wall time then
 */
public record FailureRecord(Phase phase, int round, TrialFailure failure, double costSeconds, double elapsedSeconds) {}
