package io.loadertuner.service.recommendation;

import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.space.LoaderConfig;

/** What is safe to start with where nothing was measured. */
final class SafeDefault {
    private static final int MOST_WORKERS = 8;
    private static final int BATCH_SIZE = 32;
    static final long BYTES_FOR_A_WORKER = 1L << 30;

    private SafeDefault() {}

    /**
     * @param ranks training processes that share the machine
     */
    static LoaderConfig on(Machine machine, int ranks) {
        double most = Math.min(MOST_WORKERS, machine.usableCores() / ranks);
        if (machine.memoryBytes() > 0) {
            most = Math.min(most, (double) machine.memoryBytes() / BYTES_FOR_A_WORKER / ranks);
        }
        int workers = (int) Math.floor(most);
        return LoaderConfig.of(
                workers, LoaderConfig.DEFAULT_PREFETCH, !machine.gpus().isEmpty(), BATCH_SIZE, true, null);
    }
}
