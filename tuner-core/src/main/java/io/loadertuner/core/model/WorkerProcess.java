package io.loadertuner.core.model;

import java.util.function.IntConsumer;

/** A worker: loads the batches whose indices it was handed, one after the other, and hands each over. */
final class WorkerProcess {
    private final BatchLoading loading;
    private final IntConsumer deliver;
    private final int stride;
    private final Runnable loaded = this::loaded;
    private int batch;
    private int handed;

    /**
     * @param first index of its first batch
     * @param stride from each of its batches to the next: the number of workers
     */
    WorkerProcess(BatchLoading loading, int first, int stride, IntConsumer deliver) {
        this.loading = loading;
        this.batch = first;
        this.stride = stride;
        this.deliver = deliver;
    }

    /** Puts its next index batch into its queue. */
    void hand() {
        handed++;
        if (handed == 1) {
            loading.load(batch, loaded);
        }
    }

    private void loaded() {
        int done = batch;
        batch += stride;
        handed--;
        deliver.accept(done);
        if (handed > 0) {
            loading.load(batch, loaded);
        }
    }
}
