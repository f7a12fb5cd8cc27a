package io.loadertuner.core.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.measure.ModelledRounds.Bias;
import io.loadertuner.core.model.ModelledStep;
import io.loadertuner.core.model.SampleCost;
import io.loadertuner.core.space.LoaderConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * How far the mean rate of many rounds lies from the truth, on modelled loaders: no workers, and 1 to 16 of them with every
 * prefetch from 1 to 8. A batch of 64 takes a worker 20 ms, and there is a core for each. The truth is worked out by hand
 * where samples are even; elsewhere it is the rate of a run many times as long as a round.
 */
class WindowBiasTest {
    private static final int MOST_WORKERS = 16;
    private static final int MOST_PREFETCH = 8;
    private static final double BATCH_SECONDS = 0.02;
    private static final double BIAS = 0.01;

    /** Steps while a worker loads one batch: the step is slower than eight workers and faster than seven. */
    private static final double STEPS_A_BATCH = 7.5;

    private static final ModelledStep STEP = ModelledStep.of(BATCH_SECONDS / STEPS_A_BATCH);
    private static final ModelledStep NONE = ModelledStep.none();

    @Test
    void evenSamplesAreMeasuredRight() {
        SampleCost even = SampleCost.constant(BATCH_SECONDS / ModelledRounds.BATCH);
        ModelledRounds alone = new ModelledRounds(MOST_WORKERS, even, NONE);
        ModelledRounds stepped = new ModelledRounds(MOST_WORKERS, even, STEP);

        assertNoneIsBiased(
                config -> alone.bias(config, 2, ModelledRounds.fromTheStart(config), config.cycle() / BATCH_SECONDS));
        assertNoneIsBiased(
                config -> alone.bias(config, 2, ModelledRounds.afterThePause(config), config.cycle() / BATCH_SECONDS));
        assertNoneIsBiased(config -> stepped.bias(config, 2, ModelledRounds.fromTheStart(config), withStep(config)));
    }

    @Test
    void samplesOfLogNormalCostAreMeasuredRight() {
        ModelledRounds rounds = new ModelledRounds(MOST_WORKERS, logNormal(BATCH_SECONDS), NONE);

        assertNoneIsBiased(config -> rounds.bias(config, 20, ModelledRounds.fromTheStart(config)));
    }

    @Test
    void samplesOfTwoKindsAreMeasuredRightWithAStep() {
        ModelledRounds rounds = new ModelledRounds(MOST_WORKERS, ofTwoKinds(BATCH_SECONDS), STEP);

        assertNoneIsBiased(config -> rounds.bias(config, 20, ModelledRounds.fromTheStart(config)));
    }

    @Test
    void samplesOfTwoKindsAreMeasuredRightAfterAPause() {
        ModelledRounds rounds = new ModelledRounds(MOST_WORKERS, ofTwoKinds(BATCH_SECONDS), NONE);

        assertNoneIsBiased(config -> rounds.bias(config, 32, ModelledRounds.afterThePause(config)));
    }

    @Test
    void aWindowThatAnyWorkersBatchMayOpenFindsTooMuch() {
        double sample = 0.0005;
        ModelledRounds rounds = new ModelledRounds(8, SampleCost.bimodal(0.5 * sample, 5.5 * sample, 0.1), NONE);
        LoaderConfig config = config(16, 1);
        RoundPlan plan = RoundPlan.exploring(config);
        WindowRule rule = new WindowRule(config, plan);

        Bias opensAnywhere = rounds.bias(config, 100, (arrivals, pausedAfter) -> {
            int first = plan.warmupBatches();
            while (arrivals.get(first) - arrivals.get(0) < plan.warmupSeconds() * 1e6) {
                first++;
            }
            List<Long> later = arrivals.subList(first, arrivals.size());
            RoundPlan atOnce = new RoundPlan(0, 0, plan.windowSeconds(), plan.cycle(), plan.minCycles(), 10);
            int last = first
                    + new WindowRule(config, atOnce)
                            .windowIn(later)
                            .orElseThrow()
                            .last();
            return new WindowEdges(first, last);
        });
        Bias opensOnTheFirst = rounds.bias(
                config, 100, (arrivals, pausedAfter) -> rule.windowIn(arrivals).orElseThrow());

        assertThat(opensAnywhere.mean()).isGreaterThan(BIAS);
        assertThat(opensOnTheFirst.mean()).isLessThan(0.6 * BIAS);
    }

    /** Known and left: they begin all at once, and would need a dozen cycles of warm-up to fall out of step. */
    @Test
    void slowBatchesOfWorkersWithOneInFlightComeTooFast() {
        ModelledRounds rounds = new ModelledRounds(8, ofTwoKinds(0.128), NONE);

        assertThat(rounds.bias(config(16, 1), 50, ModelledRounds.fromTheStart(config(16, 1)))
                        .mean())
                .isBetween(0.03, 0.08);
        assertThat(rounds.bias(config(16, 2), 50, ModelledRounds.fromTheStart(config(16, 2)))
                        .mean())
                .isBetween(-BIAS, BIAS);
    }

    /** Known and left: no number of batches says when the queue is empty, so a loader with a step is not kept open. */
    @Test
    void aStepThatIsHardlyFasterHidesTheLoaderAfterAPause() {
        SampleCost even = SampleCost.constant(BATCH_SECONDS / ModelledRounds.BATCH);
        ModelledRounds rounds = new ModelledRounds(MOST_WORKERS, even, STEP);
        LoaderConfig config = config(6, 8);

        double found = rounds.bias(config, 2, ModelledRounds.afterThePause(config), withStep(config))
                .mean();

        assertThat(found).isGreaterThan(0.05);
    }

    private static void assertNoneIsBiased(Function<LoaderConfig, Bias> measure) {
        List<String> biased = new ArrayList<>();
        for (int workers = 0; workers <= MOST_WORKERS; workers++) {
            for (int prefetch = 1; prefetch <= (workers == 0 ? 1 : MOST_PREFETCH); prefetch++) {
                LoaderConfig config = config(workers, prefetch);
                Bias bias = measure.apply(config);
                assertThat(bias.standardError()).isLessThan(0.6 * BIAS);
                if (Math.abs(bias.mean()) >= BIAS) {
                    biased.add(config.describe() + ": " + bias);
                }
            }
        }
        assertThat(biased).isEmpty();
    }

    /** Worked out by hand, for even samples: one after the other without workers, else the slower of the two. */
    private static double withStep(LoaderConfig config) {
        double loading = config.cycle() / BATCH_SECONDS;
        double stepping = STEPS_A_BATCH / BATCH_SECONDS;
        return config.numWorkers() == 0 ? 1 / (1 / loading + 1 / stepping) : Math.min(loading, stepping);
    }

    private static SampleCost logNormal(double batchSeconds) {
        return SampleCost.lognormal(batchSeconds / ModelledRounds.BATCH, 0.5);
    }

    /** A fifth of the samples takes four times as long as the others. */
    private static SampleCost ofTwoKinds(double batchSeconds) {
        double mean = batchSeconds / ModelledRounds.BATCH;
        return SampleCost.bimodal(0.625 * mean, 2.5 * mean, 0.2);
    }

    private static LoaderConfig config(int workers, int prefetch) {
        return LoaderConfig.of(workers, prefetch, false, ModelledRounds.BATCH, false, null);
    }
}
