package io.loadertuner.core.measure;

import io.loadertuner.core.model.LoaderModel;
import io.loadertuner.core.model.ModelledDataset;
import io.loadertuner.core.model.ModelledLength;
import io.loadertuner.core.model.ModelledMachine;
import io.loadertuner.core.model.ModelledPause;
import io.loadertuner.core.model.ModelledRun;
import io.loadertuner.core.model.ModelledStep;
import io.loadertuner.core.model.SampleCost;
import io.loadertuner.core.space.LoaderConfig;
import java.util.List;

/**
 * Rounds of modelled loaders, and how far the rates found in them lie from the truth.
 *
 * @param cores of the machine
 * @param sample what a sample costs a worker
 * @param step taken with every batch
 */
record ModelledRounds(double cores, SampleCost sample, ModelledStep step) {
    static final int BATCH = 64;

    private static final int LEAST_BATCHES_FOR_A_TRUTH = 3000;
    private static final double SECONDS_FOR_A_TRUTH = 12;
    private static final double SECONDS_BEFORE_A_TRUTH = 2;
    private static final long SEED_OF_THE_TRUTH = 1000;

    /** Ample for a window after the warm-up with workers, and without. */
    private static final double WINDOW_SECONDS = 1.3;

    private static final double WARMUP_SECONDS_WITH_WORKERS = 0.6;
    private static final double WARMUP_SECONDS_WITHOUT = 1.6;

    /** Rounds are repeated until so many batches have come. */
    private static final int BATCHES = 24_000;

    private static final int LEAST_ROUNDS = 16;
    private static final int MOST_ROUNDS = 100;

    /**
     * The mean relative error of a rate.
     *
     * @param standardError by the spread of the rounds
     */
    record Bias(double mean, double standardError) {}

    /** Finds the window in the arrivals of a round. */
    interface Rule {
        WindowEdges window(List<Long> arrivalsMicros);
    }

    /** Of rounds that begin with the loader, by the rule of an exploring round. */
    Bias fromTheStart(LoaderConfig config) {
        WindowRule rule = new WindowRule(config, RoundPlan.exploring(config));
        return fromTheStart(config, 0, arrivals -> rule.windowIn(arrivals).orElseThrow());
    }

    /**
     * The same by another rule.
     *
     * @param least how many rounds at least
     */
    Bias fromTheStart(LoaderConfig config, int least, Rule rule) {
        double truth = trueBatchesPerSecond(config);
        double warmup = config.numWorkers() == 0 ? WARMUP_SECONDS_WITHOUT : WARMUP_SECONDS_WITH_WORKERS;
        int batches = config.batchesInFlight() + 6 * config.cycle() + (int) ((warmup + WINDOW_SECONDS) * truth);
        ModelledLength length = ModelledLength.ofBatches(batches);
        return bias(truth, Math.max(least, rounds(batches)), seed -> {
            List<Long> arrivals = arrivals(model().run(config, length, seed));
            return batchesPerSecond(arrivals, rule.window(arrivals));
        });
    }

    /** Of rounds of a loader that was not read until its queue was full. */
    Bias afterAPause(LoaderConfig config) {
        double truth = trueBatchesPerSecond(config);
        WindowRule rule = new WindowRule(config, RoundPlan.exploring(config));
        int pausedAfter = 2 * config.batchesInFlight() + 2 * config.cycle();
        int settling = (hasStep() ? 22 : 2) * config.batchesInFlight();
        int batches = pausedAfter
                + settling
                + 6 * config.cycle()
                + (int) ((WARMUP_SECONDS_WITH_WORKERS + WINDOW_SECONDS) * truth);
        ModelledLength length = ModelledLength.ofBatches(batches);
        ModelledPause pause = new ModelledPause(pausedAfter, 0.5 + 2 * config.batchesInFlight() / truth);
        return bias(truth, rounds(batches), seed -> {
            List<Long> arrivals = arrivals(model().run(config, length, seed, pause));
            return batchesPerSecond(
                    arrivals,
                    rule.windowAfterPause(arrivals, pausedAfter, step.deviceSecondsPerBatch())
                            .orElseThrow());
        });
    }

    private interface Round {
        double batchesPerSecond(long seed);
    }

    private static Bias bias(double truth, int rounds, Round round) {
        double sum = 0;
        double squares = 0;
        for (int seed = 1; seed <= rounds; seed++) {
            double error = round.batchesPerSecond(seed) / truth - 1;
            sum += error;
            squares += error * error;
        }
        double mean = sum / rounds;
        double variance = Math.max(0, squares / rounds - mean * mean);
        return new Bias(mean, Math.sqrt(variance / (rounds - 1)));
    }

    /** Of even samples two: all rounds are alike. */
    private int rounds(int batches) {
        return sample instanceof SampleCost.Constant
                ? 2
                : Math.max(LEAST_ROUNDS, Math.min(MOST_ROUNDS, BATCHES / batches));
    }

    /**
     * Worked out by hand for even samples with a core for each worker: the slower of loader and step, without workers one
     * after the other. Elsewhere the rate of a run many times as long as a round.
     */
    private double trueBatchesPerSecond(LoaderConfig config) {
        if (sample instanceof SampleCost.Constant even && cores >= config.cycle()) {
            double batchSeconds = BATCH * even.seconds();
            double stepSeconds = step.deviceSecondsPerBatch();
            return config.numWorkers() == 0
                    ? 1 / (batchSeconds + stepSeconds)
                    : 1 / Math.max(batchSeconds / config.cycle(), stepSeconds);
        }
        return longRunBatchesPerSecond(config);
    }

    private double longRunBatchesPerSecond(LoaderConfig config) {
        int cycle = config.cycle();
        double atMost = Math.min(cores, cycle) / (BATCH * sample.meanSeconds());
        int first = 4 * config.batchesInFlight() + (int) (SECONDS_BEFORE_A_TRUTH * atMost);
        int cycles = Math.max(LEAST_BATCHES_FOR_A_TRUTH, (int) (SECONDS_FOR_A_TRUTH * atMost)) / cycle;
        int last = first + cycles * cycle;
        List<Long> arrivals = arrivals(model().run(config, ModelledLength.ofBatches(last + 1), SEED_OF_THE_TRUTH));
        return batchesPerSecond(arrivals, new WindowEdges(first, last));
    }

    private boolean hasStep() {
        return step.deviceSecondsPerBatch() > 0;
    }

    private LoaderModel model() {
        ModelledDataset dataset = new ModelledDataset("test", sample, SampleCost.NONE, 1_000, 0);
        return new LoaderModel(ModelledMachine.ideal(cores).withWorkerStartSeconds(0.01), dataset, step);
    }

    private static double batchesPerSecond(List<Long> arrivals, WindowEdges window) {
        return window.over(arrivals, window.batches()).samplesPerSecond();
    }

    private static List<Long> arrivals(ModelledRun run) {
        return ((ModelledRun.Delivered) run).arrivalsMicros();
    }
}
