package io.loadertuner.core.diagnosis;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** CPUs that an import or the dataset took away from the process or its workers. */
public final class NarrowedAffinity {
    private NarrowedAffinity() {}

    /**
     * @param before CPUs that the process could use before anything was imported
     * @param after the same once the dataset was built
     * @param inWorkers the same in a worker; null if unknown
     */
    public static Optional<Finding> finding(int before, int after, @Nullable Integer inWorkers) {
        if (after >= before && (inWorkers == null || inWorkers >= before)) {
            return Optional.empty();
        }
        String workers = inWorkers == null ? "" : Finding.text("; a worker may use %d", inWorkers);
        return Optional.of(
                Finding.warning(
                        "narrowed_affinity",
                        Finding.text(
                                "the process could use %d CPUs at its start and %d once the dataset was built%s",
                                before, after, workers),
                        "An import or the dataset itself sets the CPU affinity (OpenMP with KMP_AFFINITY or GOMP_CPU_AFFINITY, an OpenBLAS built with affinity, os.sched_setaffinity). Turn that off, or set it back after the imports and in worker_init_fn."));
    }
}
