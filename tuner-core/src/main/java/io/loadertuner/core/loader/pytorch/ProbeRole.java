package io.loadertuner.core.loader.pytorch;

import java.util.Locale;

/** What a probe process is for. */
enum ProbeRole {
    /** Runs loaders with workers; never reads a sample itself, so that workers inherit nothing a sample opened. */
    WARM,
    /** Reads samples in its own process: checks, and loaders without workers. */
    INLINE;

    String argument() {
        return name().toLowerCase(Locale.ROOT);
    }
}
