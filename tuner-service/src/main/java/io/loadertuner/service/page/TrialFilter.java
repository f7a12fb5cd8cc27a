package io.loadertuner.service.page;

import io.loadertuner.core.study.TrialState;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which trials are shown in the table and in every plot, and in which order the table has them.
 *
 * @param outcome null for any
 * @param workers null for any number
 * @param prefetch null for any
 * @param batch null for any size
 */
public record TrialFilter(
        @Nullable TrialState outcome,
        @Nullable Integer workers,
        @Nullable Integer prefetch,
        @Nullable Integer batch,
        Order order) {

    /** What comes first in the table. */
    public enum Order {
        NUMBER,
        THROUGHPUT,
        STARTUP,
        FIRST_BATCH,
        MEMORY,
        TIME;

        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        private Comparator<TrialLine> comparator() {
            return switch (this) {
                case NUMBER -> Comparator.comparingInt(TrialLine::number);
                case THROUGHPUT -> Comparator.comparingDouble(TrialLine::rate).reversed();
                case STARTUP ->
                    Comparator.comparing(
                            trial -> trial.report().startupSeconds(), Comparator.nullsLast(Comparator.naturalOrder()));
                case FIRST_BATCH ->
                    Comparator.comparing(
                            trial -> trial.report().firstBatchSeconds(),
                            Comparator.nullsLast(Comparator.naturalOrder()));
                case MEMORY ->
                    Comparator.comparing(TrialLine::memoryBytes, Comparator.nullsLast(Comparator.naturalOrder()));
                case TIME -> Comparator.comparingDouble(TrialLine::costSeconds).reversed();
            };
        }
    }

    boolean isAny() {
        return outcome == null && workers == null && prefetch == null && batch == null;
    }

    List<TrialLine> of(List<TrialLine> trials) {
        return trials.stream().filter(this::lets).toList();
    }

    List<TrialLine> sorted(List<TrialLine> trials) {
        return trials.stream()
                .sorted(order.comparator().thenComparingInt(TrialLine::number))
                .toList();
    }

    private boolean lets(TrialLine trial) {
        return (outcome == null || trial.state() == outcome)
                && (workers == null || trial.config().numWorkers() == workers)
                && (prefetch == null || Objects.equals(trial.config().prefetchFactor(), prefetch))
                && (batch == null || trial.config().batchSize() == batch);
    }
}
