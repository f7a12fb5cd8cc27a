package io.loadertuner.service.study;

import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.study.Phase;
import io.loadertuner.core.tuning.RoundRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A round as it is answered.
 *
 * @param window which of the arrivals were measured
 * @param arrivalsMicros when each batch was delivered and its step done, microseconds since the loader was begun
 */
record RoundAnswer(
        Phase phase,
        int round,
        boolean withStep,
        double samplesPerSecond,
        int rejected,
        boolean busy,
        double costSeconds,
        double elapsedSeconds,
        double startupSeconds,
        double firstBatchSeconds,
        @Nullable Double shutdownSeconds,
        double waitSeconds,
        @Nullable Long memoryBytes,
        @Nullable Long sharedMemoryBytes,
        @Nullable Long gpuMemoryBytes,
        @Nullable Double gpuUtilization,
        @Nullable Double ownCores,
        @Nullable Double foreignCores,
        @Nullable String startMethod,
        @Nullable String warning,
        Window window,
        List<Long> arrivalsMicros) {

    /**
     * @param first index of the batch whose arrival opens the window
     * @param last index of the batch whose arrival closes it
     * @param samples samples in batches {@code first + 1 … last}
     * @param seconds from the one arrival to the other
     */
    record Window(int first, int last, long samples, double seconds) {}

    static RoundAnswer of(RoundRecord round, List<Long> arrivalsMicros) {
        RoundMeasurement measured = round.measurement();
        return new RoundAnswer(
                round.phase(),
                round.round(),
                round.withStep(),
                round.samplesPerSecond(),
                round.rejected(),
                round.busy(),
                round.costSeconds(),
                round.elapsedSeconds(),
                measured.startupSeconds(),
                measured.firstBatchSeconds(),
                measured.shutdownSeconds(),
                measured.waitSeconds(),
                measured.memoryBytes(),
                measured.sharedMemoryBytes(),
                measured.gpuMemoryBytes(),
                measured.gpuUtilization(),
                measured.ownCores(),
                measured.foreignCores(),
                measured.startMethod(),
                measured.warning(),
                new Window(
                        measured.window().first(),
                        measured.window().last(),
                        measured.window().samples(),
                        measured.window().seconds()),
                arrivalsMicros);
    }
}
