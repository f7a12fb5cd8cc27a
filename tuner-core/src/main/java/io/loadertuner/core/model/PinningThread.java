package io.loadertuner.core.model;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.IntConsumer;

/** The thread that takes batches from the workers as they come and copies each into page-locked memory. */
final class PinningThread {
    private final Timeline timeline;
    private final double cpuSecondsPerBatch;
    private final IntConsumer deliver;
    private final Queue<Integer> queue = new ArrayDeque<>();

    PinningThread(Timeline timeline, double cpuSecondsPerBatch, IntConsumer deliver) {
        this.timeline = timeline;
        this.cpuSecondsPerBatch = cpuSecondsPerBatch;
        this.deliver = deliver;
    }

    void accept(int batch) {
        queue.add(batch);
        if (queue.size() == 1) {
            pinFirst();
        }
    }

    private void pinFirst() {
        timeline.work(cpuSecondsPerBatch, () -> {
            deliver.accept(queue.remove());
            if (!queue.isEmpty()) {
                pinFirst();
            }
        });
    }
}
