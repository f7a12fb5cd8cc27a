package io.loadertuner.core.measure;

import java.util.List;

/**
 * Which batches open and close a window.
 *
 * @param first index of the batch whose arrival opens it
 * @param last index of the batch whose arrival closes it
 */
public record WindowEdges(int first, int last) {

    /** Batches counted: the one that opens the window is not. */
    public int batches() {
        return last - first;
    }

    /**
     * The window between these batches.
     *
     * @param arrivalsMicros when each batch was delivered, microseconds, ascending
     * @param samples in batches {@code first + 1 … last}
     * @throws IllegalArgumentException if no such window lies in these arrivals, or it has no rate
     */
    public MeasuredWindow over(List<Long> arrivalsMicros, long samples) {
        if (first < 0 || last >= arrivalsMicros.size()) {
            throw new IllegalArgumentException("a window from batch " + first + " to batch " + last
                    + " does not lie in " + arrivalsMicros.size() + " batches");
        }
        double seconds = (arrivalsMicros.get(last) - arrivalsMicros.get(first)) / 1e6;
        return new MeasuredWindow(first, last, samples, seconds);
    }
}
