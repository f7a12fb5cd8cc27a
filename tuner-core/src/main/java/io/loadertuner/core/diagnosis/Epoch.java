package io.loadertuner.core.diagnosis;

import java.util.Optional;

/**
 * A whole pass over the data with the pause at its start.
 *
 * @param gapSeconds from the last batch of one pass to the first of the next
 * @param samples in a pass
 * @param samplesPerSecond over pause and pass together
 */
public record Epoch(double gapSeconds, long samples, double samplesPerSecond) {
    private static final double SHARE_THAT_COUNTS = 0.05;

    /**
     * Puts a pause and a steady rate together. The first batch has arrived when the pause is over.
     *
     * @param steadySamplesPerSecond within a pass, above 0
     */
    public static Epoch of(double gapSeconds, long samples, int batchSize, double steadySamplesPerSecond) {
        double seconds = gapSeconds + Math.max(0, samples - batchSize) / steadySamplesPerSecond;
        return new Epoch(gapSeconds, samples, samples / seconds);
    }

    /**
     * A finding where passes lose a noticeable share of their time to the pause.
     *
     * @param fillSeconds what reading the first batches takes by itself, without workers the first one: no pass is without it
     */
    public Optional<Finding> finding(double steadySamplesPerSecond, double fillSeconds, boolean workersEndWithThePass) {
        double passSeconds = samples / samplesPerSecond;
        if (gapSeconds - fillSeconds < SHARE_THAT_COUNTS * passSeconds) {
            return Optional.empty();
        }
        return Optional.of(
                Finding.advice(
                        "epoch_gap",
                        Finding.text(
                                "every pass over the data begins with a pause of %.2f s: %d samples come at %.0f samples/s, pause included, instead of %.0f",
                                gapSeconds, samples, samplesPerSecond, steadySamplesPerSecond),
                        workersEndWithThePass
                                ? "Set persistent_workers=True: the workers are started once, not at every pass."
                                : "Do once, when the dataset is made or first read, what its __iter__ or the sampler does at every pass."));
    }
}
