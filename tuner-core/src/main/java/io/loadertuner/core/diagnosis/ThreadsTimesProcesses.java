package io.loadertuner.core.diagnosis;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** More threads in all workers together than there are cores. */
public final class ThreadsTimesProcesses {
    private ThreadsTimesProcesses() {}

    /**
     * @param threadsPerWorker that torch uses in a worker, by itself 1; null if unknown
     * @param ompNumThreads value of {@code OMP_NUM_THREADS}; null where it is none
     */
    public static Optional<Finding> finding(
            int numWorkers, @Nullable Integer threadsPerWorker, @Nullable Integer ompNumThreads, double usableCores) {
        if (threadsPerWorker == null || threadsPerWorker < 2 || numWorkers * threadsPerWorker <= usableCores) {
            return Optional.empty();
        }
        return Optional.of(
                Finding.advice(
                        "threads_times_processes",
                        Finding.text(
                                "%d workers with %d threads of torch each are %d on %.1f usable cores (OMP_NUM_THREADS is %s)",
                                numWorkers,
                                threadsPerWorker,
                                numWorkers * threadsPerWorker,
                                usableCores,
                                ompNumThreads == null ? "not set" : ompNumThreads.toString()),
                        "Leave torch.set_num_threads(1) in the workers, as PyTorch sets it, and measure again; nothing was changed here."));
    }
}
