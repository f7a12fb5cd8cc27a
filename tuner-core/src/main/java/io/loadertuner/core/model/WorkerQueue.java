package io.loadertuner.core.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Workers and what lies between them and the training process, as in PyTorch: workers × prefetch index batches are handed
 * out in turn at the beginning, and one more, to the worker whose turn it is, for each batch that the training process
 * takes. Batches that come before their turn are stored.
 */
final class WorkerQueue implements BatchSource {
    private final Timeline timeline;
    private final double receiveCpuSeconds;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final boolean[] stored;
    private final Runnable received = this::received;
    private Runnable then = () -> {};
    private boolean waiting;
    private int wanted;
    private int handedOut;

    /**
     * @param receiveCpuSeconds work of the training process for taking a batch; pinned batches cost it none
     */
    WorkerQueue(Simulation simulation, double receiveCpuSeconds) {
        this.timeline = simulation.timeline();
        this.receiveCpuSeconds = receiveCpuSeconds;
        this.stored = new boolean[simulation.config().batchesInFlight()];
    }

    void add(WorkerProcess worker) {
        workers.add(worker);
    }

    /** Hands out the first index batches. */
    void begin() {
        for (int batch = 0; batch < stored.length; batch++) {
            handOut();
        }
    }

    /** A batch has come from its worker. */
    void accept(int batch) {
        stored[batch % stored.length] = true;
        if (waiting && batch == wanted) {
            waiting = false;
            timeline.work(receiveCpuSeconds, received);
        }
    }

    @Override
    public void next(Runnable whenReceived) {
        then = whenReceived;
        if (stored[wanted % stored.length]) {
            timeline.work(receiveCpuSeconds, received);
        } else {
            waiting = true;
        }
    }

    private void received() {
        stored[wanted % stored.length] = false;
        wanted++;
        handOut();
        then.run();
    }

    private void handOut() {
        workers.get(handedOut++ % workers.size()).hand();
    }
}
