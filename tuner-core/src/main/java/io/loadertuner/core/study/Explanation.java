package io.loadertuner.core.study;

import io.loadertuner.core.measure.Ratio;
import org.jspecify.annotations.Nullable;

/**
 * One step of the search, as data and as a sentence. What moved or stayed is followed by one explanation for each value that
 * was compared.
 *
 * @param setting PyTorch's name of what was varied, or {@code baseline}, {@code search}, {@code confirmation},
 *     {@code recommendation}
 * @param from its value before, or what {@code to} was compared with; null where there is none
 * @param to its value after, or what was compared; null where there is none
 * @param ratio rate of {@code to} against {@code from}; where both are the same, of the best of the others against it; null
 *     if nothing was compared
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
        /** It cannot be told from the best and goes on to the confirmation. */
        CARRIED,
        /** It was not followed any further. */
        DROPPED,
        /** In the end it cannot be told from the best. */
        TIED,
        /** Not searched, for the reason given. */
        NOT_SEARCHED,
        /** The answer. */
        RECOMMENDED
    }
}
