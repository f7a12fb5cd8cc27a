package io.loadertuner.core.diagnosis;

import java.util.Optional;

/**
 * One wait far beyond the usual: batches come in order, so a slow sample holds back those that are finished.
 *
 * @param p50Seconds the median wait for a batch
 * @param p95Seconds the 95th percentile
 * @param maxSeconds the longest
 * @param perCycleSeconds waited on average for one batch of each worker, the longest wait left out
 */
public record SlowSample(double p50Seconds, double p95Seconds, double maxSeconds, double perCycleSeconds) {
    private static final double TIMES_THE_USUAL = 5;
    private static final double NOTICEABLE_SECONDS = 0.2;

    /**
     * @param inOrderAvailable whether this torch's {@code DataLoader} has {@code in_order}
     */
    public Optional<Finding> finding(int numWorkers, boolean inOrderAvailable) {
        if (numWorkers < 2 || maxSeconds < NOTICEABLE_SECONDS || maxSeconds < TIMES_THE_USUAL * perCycleSeconds) {
            return Optional.empty();
        }
        String remedy = "Make slow samples cheaper, or leave them out.";
        return Optional.of(Finding.advice(
                "slow_sample",
                Finding.text(
                        "waits for a batch: median %.3f s, 95th percentile %.3f s, longest %.3f s: a slow sample holds back what the other workers have finished",
                        p50Seconds, p95Seconds, maxSeconds),
                inOrderAvailable
                        ? remedy
                                + " DataLoader(in_order=False) delivers what is ready first; the order then changes from run to run, so it is not tried here."
                        : remedy));
    }
}
