package io.loadertuner.core.loader.pytorch;

import io.loadertuner.core.loader.MeasuredRound;
import io.loadertuner.core.loader.RankMeasurement;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.Symptoms;
import io.loadertuner.core.measure.MeasuredWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One round made of the parts of all ranks: samples per second, memory and processor time are sums, what one waits for is
 * that of the slowest.
 *
 * @param parts in the order of the ranks
 */
record RankTotals(List<RankRound> parts) {

    /**
     * @throws IllegalStateException if there was no time in which all ranks were measured
     */
    MeasuredRound round() {
        requireCommonTime();
        RoundMeasurement total = new RoundMeasurement(
                most(RoundMeasurement::startupSeconds),
                most(RoundMeasurement::firstBatchSeconds),
                known(RoundMeasurement::shutdownSeconds)
                        .map(all -> all.stream()
                                .mapToDouble(Double::doubleValue)
                                .max()
                                .orElseThrow())
                        .orElse(null),
                mean(RoundMeasurement::waitSeconds),
                sum(RoundMeasurement::memoryBytes),
                sum(RoundMeasurement::sharedMemoryBytes),
                known(RoundMeasurement::gpuMemoryBytes)
                        .map(all ->
                                all.stream().mapToLong(Long::longValue).max().orElseThrow())
                        .orElse(null),
                sum(RoundMeasurement::pinnedMemoryBytes),
                known(RoundMeasurement::gpuUtilization).map(RankTotals::mean).orElse(null),
                ownCores(),
                foreignCores(),
                measurements().get(0).startMethod(),
                warning(),
                window(),
                ranks(),
                Symptoms.NONE);
        return new MeasuredRound(total, parts.get(0).round().arrivalsMicros());
    }

    private void requireCommonTime() {
        long lastOpened =
                parts.stream().mapToLong(RankRound::openedMicros).max().orElseThrow();
        long firstClosed =
                parts.stream().mapToLong(RankRound::closedMicros).min().orElseThrow();
        if (firstClosed <= lastOpened) {
            throw new IllegalStateException("the ranks were not measured at the same time: one closed its window "
                    + (lastOpened - firstClosed) + " µs before another opened its own");
        }
    }

    /** Its rate is the sum of the ranks' rates, each over its own whole cycles; its batches are those of rank 0. */
    private MeasuredWindow window() {
        MeasuredWindow first = measurements().get(0).window();
        long samples = measurements().stream()
                .mapToLong(measured -> measured.window().samples())
                .sum();
        double samplesPerSecond = measurements().stream()
                .mapToDouble(measured -> measured.window().samplesPerSecond())
                .sum();
        return new MeasuredWindow(first.first(), first.last(), samples, samples / samplesPerSecond);
    }

    private List<RankMeasurement> ranks() {
        List<RankMeasurement> ranks = new ArrayList<>();
        for (int rank = 0; rank < parts.size(); rank++) {
            RoundMeasurement own = measurements().get(rank);
            ranks.add(new RankMeasurement(
                    rank,
                    own.window().samplesPerSecond(),
                    own.waitSeconds(),
                    own.memoryBytes(),
                    parts.get(rank).batchesPerPass(),
                    own.window()));
        }
        return ranks;
    }

    private @Nullable Double ownCores() {
        return known(RoundMeasurement::ownCores).map(RankTotals::sum).orElse(null);
    }

    /** To each rank the others are foreign; what is foreign to all is what the ranks together do not use. */
    private @Nullable Double foreignCores() {
        List<Double> busy = new ArrayList<>();
        for (RoundMeasurement measured : measurements()) {
            if (measured.ownCores() == null || measured.foreignCores() == null) {
                return null;
            }
            busy.add(measured.ownCores() + measured.foreignCores());
        }
        return Math.max(0, mean(busy) - Objects.requireNonNull(ownCores()));
    }

    private @Nullable String warning() {
        for (int rank = 0; rank < parts.size(); rank++) {
            String warning = measurements().get(rank).warning();
            if (warning != null) {
                return new Rank(rank, parts.size()) + ": " + warning;
            }
        }
        return null;
    }

    private List<RoundMeasurement> measurements() {
        return parts.stream().map(part -> part.round().measurement()).toList();
    }

    private double most(ToDoubleFunction<RoundMeasurement> value) {
        return measurements().stream().mapToDouble(value).max().orElseThrow();
    }

    private double mean(ToDoubleFunction<RoundMeasurement> value) {
        return measurements().stream().mapToDouble(value).average().orElseThrow();
    }

    private @Nullable Long sum(Function<RoundMeasurement, @Nullable Long> value) {
        return known(value)
                .map(all -> all.stream().mapToLong(Long::longValue).sum())
                .orElse(null);
    }

    /** That value of every rank; empty where one does not know it. */
    private <T> Optional<List<T>> known(Function<RoundMeasurement, @Nullable T> value) {
        List<T> all = new ArrayList<>();
        for (RoundMeasurement measured : measurements()) {
            T own = value.apply(measured);
            if (own == null) {
                return Optional.empty();
            }
            all.add(own);
        }
        return Optional.of(all);
    }

    private static double sum(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).sum();
    }

    private static double mean(List<Double> values) {
        return sum(values) / values.size();
    }
}
