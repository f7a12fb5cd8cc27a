package io.loadertuner.core.measure;

/**
 * The window of a round that counts.
 *
 * @param first index of the batch whose arrival opens the window
 * @param last index of the batch whose arrival closes it
 * @param samples samples in batches {@code first + 1 … last}, above 0
 * @param seconds from the arrival of batch {@code first} to that of batch {@code last}, above 0
 */
public record MeasuredWindow(int first, int last, long samples, double seconds) {

    public MeasuredWindow {
        if (first < 0 || last <= first) {
            throw new IllegalArgumentException(
                    "a window from batch " + first + " to batch " + last + " holds no measured batch");
        }
        if (samples <= 0 || !(seconds > 0)) {
            throw new IllegalArgumentException("a window of " + samples + " samples and " + seconds + " s has no rate");
        }
    }

    /** Whether the window ends on the same worker's batch as it began. */
    public boolean isAlignedTo(int cycle) {
        return (last - first) % cycle == 0;
    }

    public double samplesPerSecond() {
        return samples / seconds;
    }
}
