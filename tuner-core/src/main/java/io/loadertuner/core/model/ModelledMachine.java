package io.loadertuner.core.model;

/**
 * A machine that one or more identical loaders share.
 *
 * @param cores that workers, pinning threads and training processes run on
 * @param storageConcurrency samples that storage serves at a time, at least 1; further ones queue
 * @param transfer what a batch's way to the device costs
 * @param memory how much there is
 * @param workerStartSeconds from the start of one worker to the start of the next, at least 0
 * @param ranks training processes, each with a loader of its own, 1 to 8; their steps begin together
 */
public record ModelledMachine(
        ModelledCores cores,
        int storageConcurrency,
        ModelledTransfer transfer,
        ModelledMemory memory,
        double workerStartSeconds,
        int ranks) {

    public static final int MAX_RANKS = 8;

    public ModelledMachine {
        Bounds.positive("storageConcurrency", storageConcurrency);
        Bounds.notNegative("workerStartSeconds", workerStartSeconds);
        if (ranks < 1 || ranks > MAX_RANKS) {
            throw new IllegalArgumentException("ranks must be 1 to " + MAX_RANKS + ", but is " + ranks);
        }
    }

    /** Cores and nothing that costs: the start for a machine with one flaw. */
    public static ModelledMachine ideal(double cores) {
        return new ModelledMachine(
                ModelledCores.ideal(cores),
                Integer.MAX_VALUE,
                ModelledTransfer.free(),
                ModelledMemory.unlimited(),
                0,
                1);
    }

    public ModelledMachine withCores(ModelledCores others) {
        return new ModelledMachine(others, storageConcurrency, transfer, memory, workerStartSeconds, ranks);
    }

    public ModelledMachine withStorageConcurrency(int samples) {
        return new ModelledMachine(cores, samples, transfer, memory, workerStartSeconds, ranks);
    }

    public ModelledMachine withTransfer(ModelledTransfer other) {
        return new ModelledMachine(cores, storageConcurrency, other, memory, workerStartSeconds, ranks);
    }

    public ModelledMachine withMemory(ModelledMemory other) {
        return new ModelledMachine(cores, storageConcurrency, transfer, other, workerStartSeconds, ranks);
    }

    public ModelledMachine withWorkerStartSeconds(double seconds) {
        return new ModelledMachine(cores, storageConcurrency, transfer, memory, seconds, ranks);
    }

    public ModelledMachine withRanks(int loaders) {
        return new ModelledMachine(cores, storageConcurrency, transfer, memory, workerStartSeconds, loaders);
    }
}
