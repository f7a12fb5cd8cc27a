package io.loadertuner.core.model;

/**
 * When a run ends: with whichever comes first.
 *
 * @param batches delivered by each rank, at least 1
 * @param seconds simulated since {@code iter()}, above 0
 */
public record ModelledLength(int batches, double seconds) {

    public ModelledLength {
        Bounds.positive("batches", batches);
        Bounds.positive("seconds", seconds);
    }

    public static ModelledLength ofBatches(int batches) {
        return new ModelledLength(batches, Double.POSITIVE_INFINITY);
    }

    /** At most {@code batches}, so that no run is endless. */
    public static ModelledLength ofSeconds(double seconds, int batches) {
        return new ModelledLength(batches, seconds);
    }
}
