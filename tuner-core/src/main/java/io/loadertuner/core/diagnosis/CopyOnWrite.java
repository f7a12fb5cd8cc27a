package io.loadertuner.core.diagnosis;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Memory that forked workers copy because reading a Python object writes its reference count.
 *
 * @param copiedBytes by each worker so far
 * @param sharedBytes that each worker still shares: it cannot copy more than these
 * @param batches delivered by all workers meanwhile, 1 or more
 */
public record CopyOnWrite(long copiedBytes, long sharedBytes, int batches) {
    /** A worker writes to a few pages of its own accord: under 1 MiB a second was seen where samples are tensors. */
    private static final long COPIED_BY_ANY_WORKER_BYTES = 8L << 20;

    /**
     * @param batchesInEpoch of all workers; empty where the dataset does not say
     */
    public Optional<Finding> finding(int numWorkers, OptionalLong batchesInEpoch) {
        if (copiedBytes < COPIED_BY_ANY_WORKER_BYTES) {
            return Optional.empty();
        }
        String evidence = Finding.text(
                "each of %d workers copied %.0f MiB of memory that it shared before, in %d batches: %.2f MiB per batch",
                numWorkers,
                Finding.mebibytes((double) copiedBytes),
                batches,
                Finding.mebibytes((double) copiedBytes * numWorkers / batches));
        if (batchesInEpoch.isPresent()) {
            evidence += Finding.text(
                    "; by the end of an epoch all workers together will have copied up to %.0f MiB",
                    Finding.mebibytes((double) numWorkers * copiedInEpochBytes(batchesInEpoch.getAsLong())));
        }
        return Optional.of(
                Finding.warning(
                        "copy_on_write",
                        evidence,
                        "Hold the data in NumPy arrays or tensors instead of lists and dicts of Python objects: reading an object counts a reference, and that copies the page it lies on."));
    }

    /** The slope carried on to the end of an epoch, as far as there is something to copy. */
    long copiedInEpochBytes(long batchesInEpoch) {
        double bytes = copiedBytes * Math.max(1, (double) batchesInEpoch / batches);
        return (long) Math.min(bytes, (double) copiedBytes + sharedBytes);
    }
}
