package io.loadertuner.core.model;

import io.loadertuner.core.space.LoaderConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A model of PyTorch's {@code DataLoader} with a dataset and a training step on a machine: tells when batches arrive and
 * how many samples per second a config delivers. Calculated, event by event, in simulated time; nothing is loaded.
 *
 * <p>Modelled: workers and their index queues, batches given back in order, cores shared by everybody, waits for storage,
 * collating, the way through shared memory, pinning, the copy to the device, the step, ranks, limits of memory. Not
 * modelled: epochs and their ends, threads within a sample's work, the interpreter's lock between training process and
 * pinning thread, caches that warm up, noise of the machine. A batch that comes before its turn is received by the
 * training process when its turn has come.
 *
 * @param machine shared by all ranks
 * @param dataset each rank has one like it
 * @param step taken with every batch
 */
public record LoaderModel(ModelledMachine machine, ModelledDataset dataset, ModelledStep step) {
    private static final long SEED_OF_STEADY_RATES = 1;
    private static final int STEADY_BATCHES = 400;
    private static final int STEADY_CYCLES = 16;

    /** What memory does not suffice for {@code config}; empty if it does. */
    public Optional<ModelledFailure> failure(LoaderConfig config) {
        double batchBytes = (double) config.batchSize() * dataset.bytesPerSample();
        return machine.memory().failure(config, batchBytes, machine.ranks());
    }

    /** The arrivals of a run; the same for the same seed. */
    public ModelledRun run(LoaderConfig config, ModelledLength length, long seed) {
        return simulate(config, length, seed, null);
    }

    /** The same with a consumer that stops reading once. */
    public ModelledRun run(LoaderConfig config, ModelledLength length, long seed, ModelledPause pause) {
        return simulate(config, length, seed, pause);
    }

    /**
     * Samples per second of all ranks over a long run, once queue and workers have settled: whole cycles, the same
     * draws for every config. Empty if memory does not suffice. Each call simulates anew.
     */
    public OptionalDouble steadyRate(LoaderConfig config) {
        int cycle = config.cycle();
        int first = config.batchesInFlight() + 2 * cycle + step.stepsAhead();
        int cycles = Math.max(STEADY_CYCLES, 1 + (STEADY_BATCHES - 1) / cycle);
        int last = first + cycles * cycle;
        ModelledRun run = run(config, ModelledLength.ofBatches(last + 1), SEED_OF_STEADY_RATES);
        if (run instanceof ModelledRun.Delivered delivered) {
            long micros = delivered.arrivalsMicros().get(last)
                    - delivered.arrivalsMicros().get(first);
            double samples = (double) (last - first) * delivered.samplesPerArrival();
            return OptionalDouble.of(samples * 1e6 / micros);
        }
        return OptionalDouble.empty();
    }

    private ModelledRun simulate(LoaderConfig config, ModelledLength length, long seed, @Nullable ModelledPause pause) {
        Optional<ModelledFailure> failure = failure(config);
        if (failure.isPresent()) {
            return new ModelledRun.Failed(failure.get());
        }
        List<Double> ends = new Simulation(machine, dataset, step, config, seed, pause).run(length);
        List<Long> arrivals = new ArrayList<>(ends.size());
        for (double seconds : ends) {
            if (seconds <= length.seconds()) {
                arrivals.add(Math.round(seconds * 1e6));
            }
        }
        return new ModelledRun.Delivered(arrivals, config.batchSize() * machine.ranks());
    }
}
