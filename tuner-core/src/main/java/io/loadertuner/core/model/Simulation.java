package io.loadertuner.core.model;

import io.loadertuner.core.space.LoaderConfig;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One run: the processes of all ranks, what they share, and the time that passes for them. */
final class Simulation {
    private static final long STEPS = -1;

    private final ModelledMachine machine;
    private final ModelledDataset dataset;
    private final ModelledStep step;
    private final LoaderConfig config;
    private final long seed;
    private final Timeline timeline;
    private final Storage storage;
    private final SynchronousSteps steps;

    Simulation(
            ModelledMachine machine,
            ModelledDataset dataset,
            ModelledStep step,
            LoaderConfig config,
            long seed,
            @Nullable ModelledPause pause) {
        this.machine = machine;
        this.dataset = dataset;
        this.step = step;
        this.config = config;
        this.seed = seed;
        this.timeline = new Timeline(machine.cores());
        this.storage = new Storage(timeline, machine.storageConcurrency());
        this.steps = new SynchronousSteps(this, pause);
    }

    /** When each step is done, seconds since {@code iter()}; no fewer than the run is long, unless its time is over. */
    List<Double> run(ModelledLength length) {
        for (int rank = 0; rank < machine.ranks(); rank++) {
            begin(rank);
        }
        while (steps.endsSeconds().size() < length.batches()
                && timeline.nowSeconds() <= length.seconds()
                && timeline.advance()) {
            // Everything happens in advance().
        }
        return steps.endsSeconds();
    }

    private void begin(int rank) {
        if (config.numWorkers() == 0) {
            double finish = dataset.collateSecondsPerBatch() + transfer().freshMemorySeconds(batchBytes());
            BatchSource own = new OwnLoading(new BatchLoading(this, rank, finish));
            double pin = config.pinMemory() ? transfer().pinSeconds(batchBytes()) : 0;
            new TrainingProcess(this, own, pin).ask();
            return;
        }
        double receive = transfer().receiveSeconds(batchBytes());
        WorkerQueue queue = new WorkerQueue(this, config.pinMemory() ? 0 : receive);
        IntConsumer deliver = queue::accept;
        if (config.pinMemory()) {
            deliver = new PinningThread(timeline, receive + transfer().pinSeconds(batchBytes()), queue::accept)::accept;
        }
        double finish = dataset.collateSecondsPerBatch() + transfer().sendSeconds(batchBytes());
        for (int worker = 0; worker < config.numWorkers(); worker++) {
            queue.add(new WorkerProcess(new BatchLoading(this, rank, finish), worker, config.numWorkers(), deliver));
        }
        TrainingProcess trainer = new TrainingProcess(this, queue, 0);
        timeline.after(config.numWorkers() * machine.workerStartSeconds(), () -> {
            queue.begin();
            trainer.ask();
        });
    }

    Timeline timeline() {
        return timeline;
    }

    Storage storage() {
        return storage;
    }

    SynchronousSteps steps() {
        return steps;
    }

    LoaderConfig config() {
        return config;
    }

    ModelledDataset dataset() {
        return dataset;
    }

    ModelledStep step() {
        return step;
    }

    ModelledTransfer transfer() {
        return machine.transfer();
    }

    int ranks() {
        return machine.ranks();
    }

    double batchBytes() {
        return (double) config.batchSize() * dataset.bytesPerSample();
    }

    /** Whether more processes load than storage serves at a time. */
    boolean queuesForStorage() {
        return (long) machine.ranks() * config.cycle() > machine.storageConcurrency();
    }

    RandomGenerator randomOfBatch(int rank, int batch) {
        return random(rank, batch);
    }

    RandomGenerator randomOfStep(int index) {
        return random(STEPS, index);
    }

    /** Seeds are scattered first: neighbouring ones would give the same draws, one place on. */
    private RandomGenerator random(long stream, int index) {
        return new SplittableRandom(scatter(scatter(scatter(seed) + stream) + index));
    }

    /** The finaliser of MurmurHash3. */
    private static long scatter(long value) {
        long mixed = (value ^ (value >>> 33)) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ (mixed >>> 33);
    }
}
