package io.loadertuner.core.loader;

import io.loadertuner.core.measure.MeasuredWindow;
import org.jspecify.annotations.Nullable;

/**
 * What one of several ranks showed in a round.
 *
 * @param rank from 0
 * @param waitSeconds time in its window spent waiting for its loader and, where ranks step together, for the others' batches
 * @param memoryBytes memory of its loading process and workers (proportional set size); null if unknown
 * @param batchesPerPass batches after which its iterable of batches came to an end; null where that is not known
 * @param window its own whole cycles around the time common to all ranks
 */
public record RankMeasurement(
        int rank,
        double samplesPerSecond,
        double waitSeconds,
        @Nullable Long memoryBytes,
        @Nullable Long batchesPerPass,
        MeasuredWindow window) {}
