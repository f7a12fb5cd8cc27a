package io.loadertuner.core.diagnosis;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Ranks whose passes over their data are of different lengths. */
public final class UnequalRanks {
    private UnequalRanks() {}

    /**
     * @param batchesPerPass batches in a pass of ranks 0, 1, …; empty where they are not known
     */
    public static Optional<Finding> of(List<Long> batchesPerPass) {
        if (batchesPerPass.stream().distinct().count() < 2) {
            return Optional.empty();
        }
        return Optional.of(Finding.warning(
                "unequal_batches_per_rank",
                "a pass has "
                        + batchesPerPass.stream().map(String::valueOf).collect(Collectors.joining(", "))
                        + " batches in ranks 0 to " + (batchesPerPass.size() - 1),
                "Training that waits for all ranks at every step, as DistributedDataParallel does, waits for ever once"
                        + " one of them has no batch left: end every pass after the common minimum, "
                        + Collections.min(batchesPerPass)
                        + " batches, or deal the samples out with DistributedSampler."));
    }
}
