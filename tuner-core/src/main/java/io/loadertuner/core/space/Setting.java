package io.loadertuner.core.space;

import java.util.Locale;

/** A setting that is searched, in the order of its expected effect. */
public enum Setting {
    NUM_WORKERS,
    PREFETCH_FACTOR,
    PIN_MEMORY,
    BATCH_SIZE;

    /** PyTorch's name of it. */
    public String parameterName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Its value in {@code config} as text; {@code none} for the prefetch factor without workers. */
    public String valueIn(LoaderConfig config) {
        return switch (this) {
            case NUM_WORKERS -> String.valueOf(config.numWorkers());
            case PREFETCH_FACTOR ->
                config.prefetchFactor() == null
                        ? "none"
                        : config.prefetchFactor().toString();
            case PIN_MEMORY -> String.valueOf(config.pinMemory());
            case BATCH_SIZE -> String.valueOf(config.batchSize());
        };
    }
}
