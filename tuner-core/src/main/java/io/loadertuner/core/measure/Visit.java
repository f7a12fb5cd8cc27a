package io.loadertuner.core.measure;

import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * How fast two configs were at one time: within a few minutes, so that the machine's mood is that of the visit.
 *
 * @param incumbent samples per second of the config in use, above 0
 * @param baseline of what it is compared with, above 0; null where there is no other
 */
public record Visit(double incumbent, @Nullable Double baseline) {

    public Visit {
        if (!(incumbent > 0) || (baseline != null && !(baseline > 0))) {
            throw new IllegalArgumentException("rates are above 0, but these are " + incumbent + " and " + baseline);
        }
    }

    /** How many times the baseline's rate the other is; empty without a baseline. */
    OptionalDouble speedup() {
        return baseline == null ? OptionalDouble.empty() : OptionalDouble.of(incumbent / baseline);
    }
}
