package io.loadertuner.core.model;

import java.util.Locale;

/** How a modelled loader can fail, under the names that real failures have. */
public enum ModelledFailure {
    SHARED_MEMORY_EXHAUSTED,
    HOST_OUT_OF_MEMORY;

    /** The name in answers and records: {@code shared_memory_exhausted}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
