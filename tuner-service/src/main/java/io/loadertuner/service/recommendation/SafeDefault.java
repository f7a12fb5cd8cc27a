package io.loadertuner.service.recommendation;

import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.space.LoaderConfig;

/** What is safe to start with where nothing was measured. */
final class SafeDefault {
    private static final int MOST_WORKERS = 8;
    private static final int BATCH_SIZE = 32;

    private SafeDefault() {}

    static LoaderConfig on(Machine machine) {
        int workers = (int) Math.min(MOST_WORKERS, Math.floor(machine.usableCores()));
        return LoaderConfig.of(
                workers, LoaderConfig.DEFAULT_PREFETCH, !machine.gpus().isEmpty(), BATCH_SIZE, true, null);
    }
}
