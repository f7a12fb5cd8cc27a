package io.loadertuner.service.study;

import io.loadertuner.core.loader.RankMeasurement;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.measure.MeasuredWindow;
import io.loadertuner.core.study.Phase;
import io.loadertuner.core.tuning.RoundRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A round as it is answered.
 *
 * @param window which of the arrivals were measured
 * @param ranks what each of several ranks showed; empty where there is one
 * @param arrivalsMicros of rank 0 where there are several: when each batch was delivered and its step done, microseconds since the loader was begun
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
        @Nullable Long pinnedMemoryBytes,
        @Nullable Double gpuUtilization,
        @Nullable Double ownCores,
        @Nullable Double foreignCores,
        @Nullable String startMethod,
        @Nullable String warning,
        Window window,
        List<Rank> ranks,
        List<Long> arrivalsMicros) {

    /**
     * @param first index of the batch whose arrival opens the window
     * @param last index of the batch whose arrival closes it
     * @param samples samples in batches {@code first + 1 … last}
     * @param seconds from the one arrival to the other
     */
    record Window(int first, int last, long samples, double seconds) {
        static Window of(MeasuredWindow window) {
            return new Window(window.first(), window.last(), window.samples(), window.seconds());
        }
    }

    /**
     * @param memoryBytes of its loading process and workers; null if unknown
     * @param batchesPerPass batches after which its data came to an end; null where that is not known
     */
    record Rank(
            int rank,
            double samplesPerSecond,
            double waitSeconds,
            @Nullable Long memoryBytes,
            @Nullable Long batchesPerPass,
            Window window) {
        static Rank of(RankMeasurement measured) {
            return new Rank(
                    measured.rank(),
                    measured.samplesPerSecond(),
                    measured.waitSeconds(),
                    measured.memoryBytes(),
                    measured.batchesPerPass(),
                    Window.of(measured.window()));
        }
    }

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
                measured.pinnedMemoryBytes(),
                measured.gpuUtilization(),
                measured.ownCores(),
                measured.foreignCores(),
                measured.startMethod(),
                measured.warning(),
                Window.of(measured.window()),
                measured.ranks().stream().map(Rank::of).toList(),
                arrivalsMicros);
    }
}
