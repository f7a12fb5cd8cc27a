package io.loadertuner.core.measure;

import java.util.List;

/**
 * The arrivals of one round's batches and the window that counts.
 *
 * @param arrivalsMicros when each batch was delivered and its step done, microseconds since {@code iter()}, ascending
 * @param first index of the batch whose arrival opens the window
 * @param last index of the batch whose arrival closes it
 * @param samples samples in batches {@code first + 1 … last}
 */
public record MeasuredWindow(List<Long> arrivalsMicros, int first, int last, long samples) {

    public MeasuredWindow {
        arrivalsMicros = List.copyOf(arrivalsMicros);
        if (first < 0 || last <= first || last >= arrivalsMicros.size()) {
            throw new IllegalArgumentException("a window from batch " + first + " to batch " + last + " of "
                    + arrivalsMicros.size() + " holds no measured batch");
        }
        if (samples <= 0 || arrivalsMicros.get(last) <= arrivalsMicros.get(first)) {
            throw new IllegalArgumentException("a window of " + samples + " samples and "
                    + (arrivalsMicros.get(last) - arrivalsMicros.get(first)) + " µs has no rate");
        }
    }

    /** Whether the window ends on the same worker's batch as it began. */
    public boolean isAlignedTo(int cycle) {
        return (last - first) % cycle == 0;
    }

    public double seconds() {
        return (arrivalsMicros.get(last) - arrivalsMicros.get(first)) / 1e6;
    }

    public double samplesPerSecond() {
        return samples / seconds();
    }
}
