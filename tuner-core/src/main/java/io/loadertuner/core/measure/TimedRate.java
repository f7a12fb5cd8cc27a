package io.loadertuner.core.measure;

/**
 * A rate and when it was measured.
 *
 * @param samplesPerSecond above 0
 * @param elapsedSeconds since the study began, when the round ended; at least 0
 */
public record TimedRate(double samplesPerSecond, double elapsedSeconds) {}
