package io.loadertuner.core.machine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a process on this machine can use, which is often less than the hardware has: a container sees all cores and all
 * memory of its host and is throttled or killed when it believes them.
 *
 * @param hostname the host's name, {@code unknown} where it cannot be read; of no influence on the {@link MachineType}
 * @param cpuModel the processor in readable words, {@code unknown} where it cannot be read
 * @param affinityCores the logical CPUs that this process may be scheduled on, at least 1
 * @param quotaCores the CPU-seconds per second that the tightest control group allows, greater than 0, fractions kept;
 *     null where there is no quota. Neither the CPU count nor the affinity mask shows it
 * @param memoryBytes the smaller of physical memory and the tightest control group limit, in bytes; 0 where neither can
 *     be read. Limits that only slow a process down ({@code memory.high}) do not count
 * @param sharedMemoryBytes the size of {@code /dev/shm} in bytes, 0 where there is none
 * @param sharedMemoryFreeBytes what was free there at the time of looking, in bytes
 * @param gpus the GPUs in the order of their indices, empty where there are none
 */
public record Machine(
        String hostname,
        String cpuModel,
        int affinityCores,
        @Nullable Double quotaCores,
        long memoryBytes,
        long sharedMemoryBytes,
        long sharedMemoryFreeBytes,
        List<Gpu> gpus) {

    /** @throws IllegalArgumentException if a value lies outside the range given for it */
    public Machine {
        if (hostname.isBlank() || cpuModel.isBlank()) {
            throw new IllegalArgumentException("hostname and cpuModel must not be blank");
        }
        if (affinityCores < 1) {
            throw new IllegalArgumentException("affinityCores must be at least 1, was " + affinityCores);
        }
        if (quotaCores != null && !(quotaCores > 0 && Double.isFinite(quotaCores))) {
            throw new IllegalArgumentException("quotaCores must be finite and greater than 0, was " + quotaCores);
        }
        if (memoryBytes < 0 || sharedMemoryBytes < 0 || sharedMemoryFreeBytes < 0) {
            throw new IllegalArgumentException("sizes in bytes must not be negative");
        }
        gpus = List.copyOf(gpus);
    }

    /** Whether both have no GPU, or one of the same model; how the model is capitalised does not count. */
    public boolean hasGpuLike(Machine other) {
        return gpus.isEmpty()
                ? other.gpus.isEmpty()
                : gpus.stream()
                        .anyMatch(own -> other.gpus.stream()
                                .anyMatch(its -> its.name()
                                        .strip()
                                        .equalsIgnoreCase(own.name().strip())));
    }

    /**
     * Where batches will go here, as far as that can be said before PyTorch is asked: {@code cpu} where no NVIDIA GPU was found,
     * null where one was, which the interpreter may or may not be able to use. GPUs of other makers are not looked for: with
     * PyTorch for ROCm batches may come to go to {@code cuda:0} all the same.
     */
    public @Nullable String deviceForCertain() {
        return gpus.isEmpty() ? "cpu" : null;
    }

    /** The cores' worth of CPU time that a process here can use: greater than 0, at most {@link #affinityCores()}. */
    public double usableCores() {
        return quotaCores == null ? affinityCores : Math.min(affinityCores, quotaCores);
    }
}
