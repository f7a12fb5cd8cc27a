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
    private static final long SEED_OF_THE_TRUTH = 1000;

    /** Ample for warm-up and window, in seconds. */
    private static final double ROUND_SECONDS = 3.1;

    /**
     * The mean relative error of a rate.
     *
     * @param standardError by the spread of the rounds
     */
    record Bias(double mean, double standardError) {}

    /** Finds the window in the arrivals of a loader that was not read for a while after batch {@code pausedAfter}. */
    interface Rule {
        WindowEdges window(List<Long> arrivalsMicros, int pausedAfter);
    }

    static Rule fromTheStart(LoaderConfig config) {
        WindowRule rule = new WindowRule(config, RoundPlan.exploring(config));
        return (arrivals, pausedAfter) -> rule.windowIn(arrivals).orElseThrow();
    }

    static Rule afterThePause(LoaderConfig config) {
        WindowRule rule = new WindowRule(config, RoundPlan.exploring(config));
        return (arrivals, pausedAfter) ->
                rule.windowAfterPause(arrivals, pausedAfter).orElseThrow();
    }

    Bias bias(LoaderConfig config, int rounds, Rule rule) {
        return bias(config, rounds, rule, longRunBatchesPerSecond(config));
    }

    Bias bias(LoaderConfig config, int rounds, Rule rule, double trueBatchesPerSecond) {
        int pausedAfter = (int) (ROUND_SECONDS * trueBatchesPerSecond) + 3 * config.cycle();
        int batches = 2 * pausedAfter + config.batchesInFlight();
        double seconds = 0.5 + 2 * config.batchesInFlight() / trueBatchesPerSecond;
        double sum = 0;
        double squares = 0;
        for (int round = 1; round <= rounds; round++) {
            List<Long> arrivals = arrivals(model().run(
                            config, ModelledLength.ofBatches(batches), round, new ModelledPause(pausedAfter, seconds)));
            double error = batchesPerSecond(arrivals, rule.window(arrivals, pausedAfter)) / trueBatchesPerSecond - 1;
            sum += error;
            squares += error * error;
        }
        double mean = sum / rounds;
        double variance = Math.max(0, squares / rounds - mean * mean);
        return new Bias(mean, Math.sqrt(variance / (rounds - 1)));
    }

    private double longRunBatchesPerSecond(LoaderConfig config) {
        int cycle = config.cycle();
        double atMost = Math.min(cores, cycle) / (BATCH * sample.meanSeconds());
        int first = 4 * config.batchesInFlight() + 4 * cycle;
        int cycles = Math.max(LEAST_BATCHES_FOR_A_TRUTH, (int) (SECONDS_FOR_A_TRUTH * atMost)) / cycle;
        int last = first + cycles * cycle;
        List<Long> arrivals = arrivals(model().run(config, ModelledLength.ofBatches(last + 1), SEED_OF_THE_TRUTH));
        return batchesPerSecond(arrivals, new WindowEdges(first, last));
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
