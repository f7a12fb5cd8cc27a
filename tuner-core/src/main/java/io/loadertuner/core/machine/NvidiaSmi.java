package io.loadertuner.core.machine;

import java.util.Optional;

/** The driver's command line tool, asked for its GPUs. */
@FunctionalInterface
interface NvidiaSmi {

    /**
     * One line {@code name, memory in MiB, uuid} for each GPU, in the order of their indices; empty where the tool is absent,
     * fails or takes too long.
     */
    Optional<String> gpus();
}
