package io.loadertuner.core.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.measure.ModelledRounds.Bias;
import io.loadertuner.core.model.ModelledStep;
import io.loadertuner.core.model.SampleCost;
import io.loadertuner.core.space.LoaderConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

    /** What samples cost, with the same mean. */
    enum Samples {
        EVEN {
            @Override
            SampleCost of(double meanSeconds) {
                return SampleCost.constant(meanSeconds);
            }
        },
        LOG_NORMAL {
            @Override
            SampleCost of(double meanSeconds) {
                return SampleCost.lognormal(meanSeconds, 0.5);
            }
        },
        /** A fifth takes four times as long as the others. */
        OF_TWO_KINDS {
            @Override
            SampleCost of(double meanSeconds) {
                return SampleCost.bimodal(0.625 * meanSeconds, 2.5 * meanSeconds, 0.2);
            }
        };

        abstract SampleCost of(double meanSeconds);
    }

    /** How a loader is read. */
    record Reading(Samples samples, boolean withStep, boolean afterAPause) {

        Bias bias(LoaderConfig config) {
            SampleCost cost = samples.of(BATCH_SECONDS / ModelledRounds.BATCH);
            ModelledRounds rounds = new ModelledRounds(MOST_WORKERS, cost, withStep ? STEP : NONE);
            return afterAPause ? rounds.afterAPause(config) : rounds.fromTheStart(config);
        }

        @Override
        public String toString() {
            return "samples " + samples + (withStep ? ", with a step" : ", no step")
                    + (afterAPause ? ", after a pause" : ", from the start");
        }
    }

    static Stream<Reading> readings() {
        return Arrays.stream(Samples.values())
                .flatMap(samples -> Stream.of(
                        new Reading(samples, false, false),
                        new Reading(samples, false, true),
                        new Reading(samples, true, false),
                        new Reading(samples, true, true)));
    }

    @ParameterizedTest
    @MethodSource("readings")
    void withEveryNumberOfWorkersAndPrefetchTheMeanRateIsRight(Reading reading) {
        List<String> biased = new ArrayList<>();
        for (int workers = 0; workers <= MOST_WORKERS; workers++) {
            for (int prefetch = 1; prefetch <= (workers == 0 ? 1 : MOST_PREFETCH); prefetch++) {
                LoaderConfig config = config(workers, prefetch);
                Bias bias = reading.bias(config);
                assertThat(bias.standardError()).isLessThan(0.4 * BIAS);
                if (Math.abs(bias.mean()) >= BIAS) {
                    biased.add(config.describe() + ": " + bias);
                }
            }
        }
        assertThat(biased).isEmpty();
    }

    @Test
    void aWindowThatAnyWorkersBatchMayOpenFindsTooMuch() {
        double sample = 0.0005;
        ModelledRounds rounds = new ModelledRounds(8, SampleCost.bimodal(0.5 * sample, 5.5 * sample, 0.1), NONE);
        LoaderConfig config = config(16, 1);
        RoundPlan plan = RoundPlan.exploring(config);
        WindowRule rule = new WindowRule(config, plan);

        Bias opensAnywhere = rounds.fromTheStart(config, 100, arrivals -> {
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
        Bias opensOnTheFirst = rounds.fromTheStart(
                config, 100, arrivals -> rule.windowIn(arrivals).orElseThrow());

        // Both are found in the same rounds.
        assertThat(opensAnywhere.mean() - opensOnTheFirst.mean()).isGreaterThan(0.7 * BIAS);
        assertThat(opensOnTheFirst.mean()).isBetween(-BIAS, BIAS);
    }

    /** Known and left: they begin all at once, and would need a dozen cycles of warm-up to fall out of step. */
    @Test
    void slowBatchesOfWorkersWithOneInFlightComeTooFast() {
        SampleCost cost = Samples.OF_TWO_KINDS.of(0.128 / ModelledRounds.BATCH);
        ModelledRounds rounds = new ModelledRounds(8, cost, NONE);

        assertThat(rounds.fromTheStart(config(16, 1)).mean()).isBetween(0.03, 0.08);
        assertThat(rounds.fromTheStart(config(16, 2)).mean()).isBetween(-BIAS, BIAS);
    }

    /** Known and left: by the time such a queue is empty, a round is over. */
    @Test
    void aStepThatIsHardlyFasterHidesTheLoaderAfterAPause() {
        double quicker = 1.02;
        SampleCost even = SampleCost.constant(BATCH_SECONDS / ModelledRounds.BATCH);
        ModelledStep step = ModelledStep.of(BATCH_SECONDS / 6 / quicker);

        double found = new ModelledRounds(MOST_WORKERS, even, step)
                .afterAPause(config(6, 8))
                .mean();

        assertThat(found).isBetween(0.015, quicker - 1 + 0.001);
    }

    private static LoaderConfig config(int workers, int prefetch) {
        return LoaderConfig.of(workers, prefetch, false, ModelledRounds.BATCH, false, null);
    }
}
