package io.loadertuner.core.loader;

import io.loadertuner.core.measure.MeasuredWindow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one round showed.
 *
 * @param startupSeconds from before the loader was built until it could be read
 * @param firstBatchSeconds from then until the first batch was delivered
 * @param shutdownSeconds time to tear the loader down; null if it had to be killed
 * @param waitSeconds time in the window spent waiting for the loader
 * @param memoryBytes memory of the loading process and its workers (proportional set size); null if unknown
 * @param sharedMemoryBytes shared memory that they hold; null if unknown
 * @param gpuMemoryBytes memory taken on the GPU; null without one
 * @param gpuUtilization share of the time the GPU was busy, 0 to 1; null if unknown
 * @param ownCores processor time the loader and its workers used in the window, in cores; null if unknown
 * @param foreignCores processor time that others used in the window, in cores; null if unknown
 * @param startMethod how workers were started
 * @param pinnedMemoryBytes the most page-locked host memory that was taken at once, as the allocator rounded it; null if unknown
 * @param warning what went wrong without spoiling the numbers; null if nothing did
 * @param window of several ranks: its rate is the sum of theirs, its batches are those of rank 0
 * @param ranks what each of several ranks showed; empty where there is one
 * @param symptoms of the loader's habits; none in what was stored before they were kept
 */
public record RoundMeasurement(
        double startupSeconds,
        double firstBatchSeconds,
        @Nullable Double shutdownSeconds,
        double waitSeconds,
        @Nullable Long memoryBytes,
        @Nullable Long sharedMemoryBytes,
        @Nullable Long gpuMemoryBytes,
        @Nullable Long pinnedMemoryBytes,
        @Nullable Double gpuUtilization,
        @Nullable Double ownCores,
        @Nullable Double foreignCores,
        @Nullable String startMethod,
        @Nullable String warning,
        MeasuredWindow window,
        List<RankMeasurement> ranks,
        Symptoms symptoms) {

    @SuppressWarnings("ConstantValue") // absent in what was stored before
    public RoundMeasurement {
        ranks = ranks == null ? List.of() : List.copyOf(ranks);
        symptoms = symptoms == null ? Symptoms.NONE : symptoms;
    }

    /** The same with one more warning. */
    public RoundMeasurement warning(String more) {
        return new RoundMeasurement(
                startupSeconds,
                firstBatchSeconds,
                shutdownSeconds,
                waitSeconds,
                memoryBytes,
                sharedMemoryBytes,
                gpuMemoryBytes,
                pinnedMemoryBytes,
                gpuUtilization,
                ownCores,
                foreignCores,
                startMethod,
                warning == null ? more : warning + "; " + more,
                window,
                ranks,
                symptoms);
    }
}
