package io.loadertuner.service.study;

import io.loadertuner.core.tuning.StudyState;
import org.jspecify.annotations.Nullable;

/**
 * Which studies are looked for, and in which order.
 *
 * @param text what the dataset's name or version, the machine type's or whoever asked has somewhere in it, in any case; empty for any
 * @param state null for any
 * @param page from 1
 */
public record HistoryQuery(String text, @Nullable StudyState state, Order order, int page) {
    public static final int PAGE_SIZE = 25;

    /** What comes first. */
    public enum Order {
        NEWEST("posted desc"),
        OLDEST("posted"),
        DATASET("dataset, posted desc"),
        GAIN("speedup desc nulls last, posted desc"),
        THROUGHPUT("best_samples_per_second desc nulls last, posted desc");

        private final String columns;

        Order(String columns) {
            this.columns = columns;
        }

        String columns() {
            return columns;
        }
    }
}
