package io.loadertuner.core.model;

/**
 * What a batch's way from a worker to the device costs. Rates are in bytes per second of one core, above 0;
 * {@link Double#POSITIVE_INFINITY} is free.
 *
 * @param sharedMemoryBytesPerSecond a worker writing a batch to shared memory
 * @param sendSecondsPerBatch work of the worker for handing a batch over, at least 0
 * @param receiveSecondsPerBatch work of the training process for taking a batch from a worker, at least 0
 * @param receiveBytesPerSecond the training process mapping and first touching a worker's batch
 * @param reusedMemoryBytes the largest batch that a process without workers puts into memory it had before, at least 0:
 *     glibc returns what is above 32 MiB to the system and takes it anew
 * @param freshMemoryBytesPerSecond the training process first touching a batch above that
 * @param pinBytesPerSecond copying a batch into page-locked memory
 * @param pageableCopyBytesPerSecond to the device from memory that is not page-locked, the host waiting
 * @param pinnedCopyBytesPerSecond to the device from page-locked memory
 */
public record ModelledTransfer(
        double sharedMemoryBytesPerSecond,
        double sendSecondsPerBatch,
        double receiveSecondsPerBatch,
        double receiveBytesPerSecond,
        long reusedMemoryBytes,
        double freshMemoryBytesPerSecond,
        double pinBytesPerSecond,
        double pageableCopyBytesPerSecond,
        double pinnedCopyBytesPerSecond) {

    /** What glibc's allocator reuses at most. */
    public static final long GLIBC_REUSED_BYTES = 32L << 20;

    private static final double FREE = Double.POSITIVE_INFINITY;

    public ModelledTransfer {
        Bounds.positive("sharedMemoryBytesPerSecond", sharedMemoryBytesPerSecond);
        Bounds.notNegative("sendSecondsPerBatch", sendSecondsPerBatch);
        Bounds.notNegative("receiveSecondsPerBatch", receiveSecondsPerBatch);
        Bounds.positive("receiveBytesPerSecond", receiveBytesPerSecond);
        Bounds.notNegative("reusedMemoryBytes", (double) reusedMemoryBytes);
        Bounds.positive("freshMemoryBytesPerSecond", freshMemoryBytesPerSecond);
        Bounds.positive("pinBytesPerSecond", pinBytesPerSecond);
        Bounds.positive("pageableCopyBytesPerSecond", pageableCopyBytesPerSecond);
        Bounds.positive("pinnedCopyBytesPerSecond", pinnedCopyBytesPerSecond);
    }

    /** Batches cost nothing on their way, and no device is there. */
    public static ModelledTransfer free() {
        return new ModelledTransfer(FREE, 0, 0, FREE, GLIBC_REUSED_BYTES, FREE, FREE, FREE, FREE);
    }

    /** The same between worker and training process, with a device that batches are copied to. */
    public ModelledTransfer withDevice(double pinRate, double pageableRate, double pinnedRate) {
        return new ModelledTransfer(
                sharedMemoryBytesPerSecond,
                sendSecondsPerBatch,
                receiveSecondsPerBatch,
                receiveBytesPerSecond,
                reusedMemoryBytes,
                freshMemoryBytesPerSecond,
                pinRate,
                pageableRate,
                pinnedRate);
    }

    double sendSeconds(double batchBytes) {
        return sendSecondsPerBatch + batchBytes / sharedMemoryBytesPerSecond;
    }

    double receiveSeconds(double batchBytes) {
        return receiveSecondsPerBatch + batchBytes / receiveBytesPerSecond;
    }

    double freshMemorySeconds(double batchBytes) {
        return batchBytes > reusedMemoryBytes ? batchBytes / freshMemoryBytesPerSecond : 0;
    }

    double pinSeconds(double batchBytes) {
        return batchBytes / pinBytesPerSecond;
    }

    double copySeconds(double batchBytes, boolean pinned) {
        return batchBytes / (pinned ? pinnedCopyBytesPerSecond : pageableCopyBytesPerSecond);
    }
}
