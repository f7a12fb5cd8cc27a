package io.loadertuner.service.recommendation;

import io.loadertuner.core.machine.Gpu;
import io.loadertuner.core.machine.Machine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a caller says of the machine it trains on; null is not said.
 *
 * @param ranks training processes on it
 * @param cpus the cores' worth of processor time that they have together
 * @param gpu the model's name; empty for none
 * @param torch version of PyTorch
 */
record Trainer(
        int ranks,
        @Nullable Double cpus,
        @Nullable Long memoryBytes,
        @Nullable String gpu,
        @Nullable String torch) {
    /** A factor within which counts of usable cores are the same machine's. */
    private static final double SAME_CORES = 1.25;

    /** The machine, as far as it is told apart from a known one. */
    Machine on(Machine known) {
        return new Machine(
                known.hostname(),
                known.cpuModel(),
                cpus == null ? known.affinityCores() : (int) Math.ceil(cpus),
                cpus == null ? known.quotaCores() : cpus,
                memoryBytes == null ? known.memoryBytes() : memoryBytes,
                known.sharedMemoryBytes(),
                known.sharedMemoryFreeBytes(),
                gpus(known));
    }

    /** Whether nothing that was said speaks against it being this machine. Memory is no sign: it is limited job by job. */
    boolean mayBe(Machine machine) {
        Machine said = on(machine);
        return Math.abs(Math.log(said.usableCores() / machine.usableCores())) <= Math.log(SAME_CORES)
                && said.hasGpuLike(machine);
    }

    private List<Gpu> gpus(Machine known) {
        String model = gpu;
        if (model == null) {
            return known.gpus();
        }
        return model.isEmpty() ? List.of() : List.of(new Gpu(model, 0, null));
    }
}
