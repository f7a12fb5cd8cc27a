package io.loadertuner.core.model;

/** One rank's training loop: get a batch, bring it to the device, take the step together with the other ranks. */
final class TrainingProcess {
    private final Simulation simulation;
    private final BatchSource batches;
    private final double copySeconds;
    private final double pinCpuSeconds;
    private final boolean copiesBehindTheHost;
    private final Runnable received = this::received;
    private final Runnable pinned = this::pinned;
    private final Runnable copyTurn = this::copyTurn;
    private final Runnable copied = this::copied;
    private final Runnable launched = this::launched;
    private final Runnable ask = this::ask;
    private double deviceFreeSeconds;

    /**
     * @param pinCpuSeconds work of the training process itself for pinning a batch: only without workers
     */
    TrainingProcess(Simulation simulation, BatchSource batches, double pinCpuSeconds) {
        this.simulation = simulation;
        this.batches = batches;
        this.pinCpuSeconds = pinCpuSeconds;
        boolean pinnedMemory = simulation.config().pinMemory();
        this.copySeconds = simulation.transfer().copySeconds(simulation.batchBytes(), pinnedMemory);
        this.copiesBehindTheHost = pinnedMemory && simulation.config().nonBlocking();
    }

    void ask() {
        batches.next(received);
    }

    private void received() {
        simulation.timeline().work(pinCpuSeconds, pinned);
    }

    private void pinned() {
        if (copySeconds == 0) {
            copied();
        } else if (copiesBehindTheHost) {
            deviceFreeSeconds = Math.max(deviceFreeSeconds, now()) + copySeconds;
            copied();
        } else {
            simulation.timeline().after(deviceFreeSeconds - now(), copyTurn);
        }
    }

    private void copyTurn() {
        if (simulation.config().pinMemory()) {
            simulation.timeline().after(copySeconds, copied);
        } else {
            simulation.timeline().work(copySeconds, copied);
        }
    }

    private void copied() {
        simulation.timeline().work(simulation.step().hostCpuSecondsPerBatch(), launched);
    }

    private void launched() {
        simulation.steps().ready(this);
    }

    double deviceFreeSeconds() {
        return deviceFreeSeconds;
    }

    /** The step has been given to the device, which will be done with it then; the host goes on to the next batch. */
    void stepEnds(double atSeconds, double hostGoesOnAtSeconds) {
        deviceFreeSeconds = atSeconds;
        simulation.timeline().after(hostGoesOnAtSeconds - now(), ask);
    }

    private double now() {
        return simulation.timeline().nowSeconds();
    }
}
