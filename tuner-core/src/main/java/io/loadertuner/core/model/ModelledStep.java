package io.loadertuner.core.model;

import java.util.random.RandomGenerator;

/**
 * What training does with a batch: some work of the host, then some time of the device.
 *
 * @param deviceSecondsPerBatch at least 0
 * @param deviceSecondsPerSample added for each sample of the batch, at least 0
 * @param coefficientOfVariation of the device's time from batch to batch (log-normal), at least 0
 * @param hostCpuSecondsPerBatch work of one core in the training process, at least 0
 * @param stepsAhead how many steps the host may be ahead of the device, at least 0; with 0 it waits for every step
 */
public record ModelledStep(
        double deviceSecondsPerBatch,
        double deviceSecondsPerSample,
        double coefficientOfVariation,
        double hostCpuSecondsPerBatch,
        int stepsAhead) {

    public ModelledStep {
        Bounds.notNegative("deviceSecondsPerBatch", deviceSecondsPerBatch);
        Bounds.notNegative("deviceSecondsPerSample", deviceSecondsPerSample);
        Bounds.notNegative("coefficientOfVariation", coefficientOfVariation);
        Bounds.notNegative("hostCpuSecondsPerBatch", hostCpuSecondsPerBatch);
        Bounds.notNegative("stepsAhead", stepsAhead);
    }

    /** The loader alone. */
    public static ModelledStep none() {
        return new ModelledStep(0, 0, 0, 0, 0);
    }

    /** A device that takes this long for a batch, and a host that waits for it. */
    public static ModelledStep of(double deviceSecondsPerBatch) {
        return new ModelledStep(deviceSecondsPerBatch, 0, 0, 0, 0);
    }

    /** A device that takes in this many samples per second, and a host that waits for it. */
    public static ModelledStep takingIn(double samplesPerSecond) {
        Bounds.positive("samplesPerSecond", samplesPerSecond);
        return new ModelledStep(0, 1 / samplesPerSecond, 0, 0, 0);
    }

    public ModelledStep withJitter(double variation) {
        return new ModelledStep(
                deviceSecondsPerBatch, deviceSecondsPerSample, variation, hostCpuSecondsPerBatch, stepsAhead);
    }

    public ModelledStep withHostCpuSeconds(double perBatch) {
        return new ModelledStep(
                deviceSecondsPerBatch, deviceSecondsPerSample, coefficientOfVariation, perBatch, stepsAhead);
    }

    public ModelledStep withStepsAhead(int steps) {
        return new ModelledStep(
                deviceSecondsPerBatch, deviceSecondsPerSample, coefficientOfVariation, hostCpuSecondsPerBatch, steps);
    }

    /**
     * What the step alone takes in when its batches are always there; infinite if it takes no time. Host and device work
     * side by side as far as the host may be ahead.
     */
    public double samplesPerSecond(int batchSize) {
        double device = deviceSecondsPerBatch + batchSize * deviceSecondsPerSample;
        double seconds = stepsAhead == 0 ? device + hostCpuSecondsPerBatch : Math.max(device, hostCpuSecondsPerBatch);
        return batchSize / seconds;
    }

    double deviceSeconds(int batchSize, RandomGenerator random) {
        double mean = deviceSecondsPerBatch + batchSize * deviceSecondsPerSample;
        return coefficientOfVariation == 0
                ? mean
                : SampleCost.lognormal(mean, coefficientOfVariation).sumSeconds(1, random);
    }
}
