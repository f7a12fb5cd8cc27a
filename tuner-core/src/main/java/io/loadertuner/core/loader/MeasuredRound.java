package io.loadertuner.core.loader;

import java.util.List;

/**
 * A round as it comes from the loader: what it showed, and beside it what that was worked out from. A search needs the
 * first alone; arrivals are thousands, so they are kept apart and read only where somebody asks for them.
 *
 * @param arrivalsMicros when each batch was delivered and its step done, microseconds since {@code iter()}, ascending
 */
public record MeasuredRound(RoundMeasurement measurement, List<Long> arrivalsMicros) {
    public MeasuredRound {
        arrivalsMicros = List.copyOf(arrivalsMicros);
    }
}
