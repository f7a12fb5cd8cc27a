package io.loadertuner.core.model;

import static io.loadertuner.core.model.Models.BATCH;
import static io.loadertuner.core.model.Models.arrivals;
import static io.loadertuner.core.model.Models.costing;
import static io.loadertuner.core.model.Models.on;
import static io.loadertuner.core.model.Models.workers;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When batches arrive: clumps, stored batches, start-up, seeds. */
class ModelledArrivalsTest {
    private static final ModelledMachine EIGHT_CORES = ModelledMachine.ideal(8);

    @ParameterizedTest
    @CsvSource({"1, 2", "3, 1", "3, 2", "4, 8"})
    void afterAPauseExactlyTheStoredBatchesComeAtOnce(int workers, int prefetch) {
        LoaderModel model = on(EIGHT_CORES, costing(0.001, 0));
        int pauseAfter = 40;

        List<Long> arrivals = arrivals(model.run(
                workers(workers, prefetch), ModelledLength.ofBatches(200), 1, new ModelledPause(pauseAfter, 10)));

        long resumed = arrivals.get(pauseAfter) + 10_000_000;
        assertThat(arrivals.stream().filter(arrival -> arrival == resumed)).hasSize(workers * prefetch);
        assertThat(arrivals.get(pauseAfter + 1)).isEqualTo(resumed);
    }

    @Test
    void withoutWorkersNothingIsStoredInAPause() {
        LoaderModel model = on(EIGHT_CORES, costing(0.001, 0));

        List<Long> arrivals =
                arrivals(model.run(workers(0), ModelledLength.ofBatches(10), 1, new ModelledPause(4, 10)));

        assertThat(arrivals.get(5) - arrivals.get(4)).isEqualTo(10_000_000 + BATCH * 1_000);
    }

    @Test
    void equalWorkersThatBeginTogetherDeliverInClumpsOfAllOfThem() {
        LoaderModel model = on(EIGHT_CORES, costing(0.001, 0));

        List<Long> arrivals = arrivals(model.run(workers(4), ModelledLength.ofBatches(40), 1));

        assertThat(IntStream.range(0, 40).mapToObj(arrivals::get))
                .containsExactlyElementsOf(IntStream.range(0, 40)
                        .mapToObj(batch -> (batch / 4 + 1L) * BATCH * 1_000)
                        .toList());
    }

    @Test
    void batchesBehindASlowOneAreStoredUntilItsTurn() {
        ModelledDataset fewAreSlow =
                new ModelledDataset("test", SampleCost.bimodal(0.001, 1, 0.0003), SampleCost.NONE, 1_000, 0);
        LoaderModel model = on(EIGHT_CORES, fewAreSlow);
        int workers = 4;
        int prefetch = 2;

        List<Long> arrivals = arrivals(model.run(workers(workers, prefetch), ModelledLength.ofBatches(400), 3));

        int clumps = 0;
        for (int batch = 1; batch + workers * prefetch < arrivals.size(); batch++) {
            long slow = arrivals.get(batch);
            if (slow - arrivals.get(batch - 1) > 900_000) {
                clumps++;
                assertThat(arrivals.subList(batch, batch + workers)).containsOnly(slow);
            }
        }
        assertThat(clumps).isPositive();
    }

    @Test
    void noWorkerIsFurtherAheadThanTheQueueIsLong() {
        LoaderModel model = new LoaderModel(EIGHT_CORES, costing(0.0001, 0), ModelledStep.of(1));

        List<Long> arrivals = arrivals(model.run(workers(3), ModelledLength.ofBatches(5), 1));

        assertThat(arrivals).containsExactly(1_003_200L, 2_003_200L, 3_003_200L, 4_003_200L, 5_003_200L);
    }

    @Test
    void workersStartOneAfterTheOtherBeforeTheFirstIsHandedABatch() {
        LoaderModel model = on(EIGHT_CORES.withWorkerStartSeconds(0.5), costing(0.001, 0));

        List<Long> arrivals = arrivals(model.run(workers(4), ModelledLength.ofBatches(1), 1));

        assertThat(arrivals).containsExactly(2_000_000L + BATCH * 1_000);
    }

    @Test
    void theSameSeedGivesTheSameArrivalsAndAnotherSeedOthers() {
        ModelledDataset varied = new ModelledDataset(
                "test", SampleCost.lognormal(0.002, 0.8), SampleCost.bimodal(0.001, 0.05, 0.1), 1_000, 0);
        LoaderModel model = new LoaderModel(
                EIGHT_CORES.withStorageConcurrency(2),
                varied,
                ModelledStep.of(0.01).withJitter(0.1));
        ModelledLength length = ModelledLength.ofBatches(300);

        assertThat(model.run(workers(4), length, 7)).isEqualTo(model.run(workers(4), length, 7));
        assertThat(model.run(workers(4), length, 7)).isNotEqualTo(model.run(workers(4), length, 8));
    }

    @Test
    void aRunEndsWithItsSeconds() {
        LoaderModel model = on(EIGHT_CORES, costing(0.001, 0));

        List<Long> arrivals = arrivals(model.run(workers(0), ModelledLength.ofSeconds(1, 1_000_000), 1));

        assertThat(arrivals).hasSize(1_000 / BATCH).last().isEqualTo(31L * BATCH * 1_000);
    }

    @Test
    void arrivalsAscendAlsoWhereTheHostIsAhead() {
        ModelledDataset varied = new ModelledDataset("test", SampleCost.lognormal(0.002, 1), SampleCost.NONE, 1_000, 0);
        ModelledStep step = ModelledStep.of(0.06).withJitter(0.5).withStepsAhead(2);
        LoaderModel model = new LoaderModel(EIGHT_CORES.withRanks(2), varied, step);

        List<Long> arrivals = arrivals(model.run(workers(1), ModelledLength.ofBatches(200), 1));

        assertThat(arrivals).hasSize(200).isSorted();
    }
}
