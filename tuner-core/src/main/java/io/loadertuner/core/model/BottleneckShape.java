package io.loadertuner.core.model;

import java.util.Locale;

/**
 * Six modelled jobs, each held up by something else, on machines of any size: what a way of searching should cope with.
 * Their figures are made up, of the order that such jobs have; none is a measurement.
 */
public enum BottleneckShape {
    /** Decoding: about one worker per core, and little else matters. */
    CPU_BOUND,
    /** Samples wait for storage three times as long as they are worked on: wants several workers per core. */
    STORAGE_LATENCY,
    /** Storage serves half as many samples at a time as there are cores: more workers queue for it. */
    STORAGE_LIMITED,
    /** Large samples that are cheap to make: the way through shared memory costs more than it gains. */
    TRANSFER_BOUND,
    /** The device is the slowest: whatever keeps it busy is as good, so the cheapest is best. */
    STEP_BOUND,
    /** Rows of a table: handing a batch over costs more than loading it, unless batches are large. */
    OVERHEAD_BOUND;

    public static final int MIN_CORES = 8;
    public static final int MAX_CORES = 128;

    private static final double GIB = 1L << 30;
    private static final int STEPS_AHEAD = 2;
    private static final long IMAGE_BYTES = 3L * 224 * 224;
    private static final long VOLUME_BYTES = 3L << 20;
    private static final long ROW_BYTES = 400;
    private static final double DEVICE_SECONDS_PER_SAMPLE = 1e-5;
    private static final double SAMPLES_PER_SECOND_OF_A_WORKER = 700;
    private static final double MOST_WORKERS_FOR_A_STEP = 6;
    private static final double DEVICE_SECONDS_PER_BATCH = 5e-4;

    /** The name in files: {@code cpu_bound}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The job on a machine.
     *
     * @param cores {@value #MIN_CORES} to {@value #MAX_CORES}, of the whole machine
     * @param gpus 1 to {@value ModelledMachine#MAX_RANKS}, a rank for each
     */
    public LoaderModel on(int cores, int gpus) {
        if (cores < MIN_CORES || cores > MAX_CORES) {
            throw new IllegalArgumentException("cores must be " + MIN_CORES + " to " + MAX_CORES + ", but is " + cores);
        }
        return new LoaderModel(machine(cores, gpus), dataset(), step(cores, gpus));
    }

    private ModelledMachine machine(int cores, int gpus) {
        double sharedMemoryRate = this == TRANSFER_BOUND ? 0.5 * GIB : 2 * GIB;
        double receiveRate = this == TRANSFER_BOUND ? 3 * GIB : 12 * GIB;
        ModelledTransfer transfer = new ModelledTransfer(
                        sharedMemoryRate,
                        1.5e-4,
                        2.5e-4,
                        receiveRate,
                        ModelledTransfer.GLIBC_REUSED_BYTES,
                        4 * GIB,
                        GIB,
                        GIB,
                        GIB)
                .withDevice(5 * GIB, 6 * GIB, 24 * GIB);
        ModelledMemory memory = new ModelledMemory(2 * GIB * cores, 4 * GIB * cores, 0.3 * GIB);
        return ModelledMachine.ideal(cores)
                .withCores(new ModelledCores(cores, 0.25 / cores, 0.03 / cores))
                .withStorageConcurrency(this == STORAGE_LIMITED ? cores / 2 : 64 * cores)
                .withTransfer(transfer)
                .withMemory(memory)
                .withWorkerStartSeconds(0.03)
                .withRanks(gpus);
    }

    private ModelledDataset dataset() {
        return switch (this) {
            case CPU_BOUND ->
                new ModelledDataset(code(), SampleCost.lognormal(8e-3, 0.5), SampleCost.NONE, IMAGE_BYTES, 1e-3);
            case STORAGE_LATENCY ->
                new ModelledDataset(
                        code(), SampleCost.constant(6e-3), SampleCost.lognormal(18e-3, 1), IMAGE_BYTES, 1e-3);
            case STORAGE_LIMITED ->
                new ModelledDataset(
                        code(), SampleCost.constant(1e-3), SampleCost.bimodal(5e-3, 50e-3, 0.1), IMAGE_BYTES, 1e-3);
            case TRANSFER_BOUND ->
                new ModelledDataset(code(), SampleCost.constant(5e-5), SampleCost.NONE, VOLUME_BYTES, 5e-4);
            case STEP_BOUND ->
                new ModelledDataset(code(), SampleCost.lognormal(1e-3, 0.3), SampleCost.NONE, IMAGE_BYTES, 5e-4);
            case OVERHEAD_BOUND ->
                new ModelledDataset(code(), SampleCost.constant(1e-6), SampleCost.NONE, ROW_BYTES, 3e-5);
        };
    }

    private ModelledStep step(int cores, int gpus) {
        ModelledStep step = switch (this) {
            case STEP_BOUND -> {
                double workersNeeded = Math.min(MOST_WORKERS_FOR_A_STEP, Math.max(1, cores / (4.0 * gpus)));
                yield ModelledStep.takingIn(workersNeeded * SAMPLES_PER_SECOND_OF_A_WORKER)
                        .withJitter(0.02);
            }
            case OVERHEAD_BOUND -> new ModelledStep(5e-5, 1e-7, 0, 0, 0);
            case TRANSFER_BOUND -> new ModelledStep(1e-4, 2e-5, 0, 0, 0);
            default -> new ModelledStep(DEVICE_SECONDS_PER_BATCH, DEVICE_SECONDS_PER_SAMPLE, 0, 0, 0);
        };
        return step.withHostCpuSeconds(1e-4).withStepsAhead(STEPS_AHEAD);
    }
}
