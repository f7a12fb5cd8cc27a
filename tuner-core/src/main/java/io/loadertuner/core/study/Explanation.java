package io.loadertuner.core.study;

import io.loadertuner.core.measure.Ratio;
import org.jspecify.annotations.Nullable;

/**
 * One step of the search, as data and as a sentence.
 *
 * @param setting PyTorch's name of what was varied, or {@code baseline}, {@code search}, {@code recommendation}
 * @param from its value before; null where there is none
 * @param to its value after; null where there is none
 * @param ratio rate of {@code to} against {@code from}; null if they were not compared
 */
public record Explanation(
        String setting,
        @Nullable String from,
        @Nullable String to,
        @Nullable Ratio ratio,
        Decision decision,
        String text) {

    /** What was done with it. */
    public enum Decision {
        /** Measured, nothing to decide. */
        MEASURED,
        /** The value was changed on the point estimate. */
        MOVED,
        /** The value was kept. */
        STAYED,
        /** What could not be told from the best goes on to the confirmation. */
        CARRIED,
        /** Not searched, for the reason given. */
        NOT_SEARCHED,
        /** The answer. */
        RECOMMENDED
    }
}
