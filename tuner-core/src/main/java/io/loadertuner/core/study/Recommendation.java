package io.loadertuner.core.study;

import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.space.LoaderConfig;
import org.jspecify.annotations.Nullable;

/**
 * The config that the evidence speaks for.
 *
 * @param speedup its rate against the baseline's in the interleaved rounds of the confirmation; null for the baseline
 *     itself, and where it could not be measured beside it
 */
public record Recommendation(
        Kind kind, LoaderConfig config, @Nullable Ratio speedup, String reason) {

    /** Why the baseline was left, or that it was not. */
    public enum Kind {
        /** Better than the baseline beyond noise. */
        FASTER,
        /** The step is the bottleneck, and this feeds it with less; or the baseline breaks a constraint that this keeps. */
        CHEAPER,
        /** The baseline itself. */
        KEPT
    }
}
