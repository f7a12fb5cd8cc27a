package io.loadertuner.core.model;

import static io.loadertuner.core.model.Models.BATCH;
import static io.loadertuner.core.model.Models.costing;
import static io.loadertuner.core.model.Models.on;
import static io.loadertuner.core.model.Models.pinned;
import static io.loadertuner.core.model.Models.rate;
import static io.loadertuner.core.model.Models.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Steady rates against what can be worked out by hand. */
class ModelledRatesTest {
    private static final ModelledMachine FOUR_CORES = ModelledMachine.ideal(4);

    @Test
    void withoutWorkersEverythingComesOneAfterTheOther() {
        ModelledDataset dataset =
                new ModelledDataset("test", SampleCost.constant(0.002), SampleCost.constant(0.003), 1_000, 0.01);
        LoaderModel model = new LoaderModel(FOUR_CORES, dataset, ModelledStep.of(0.05));

        double perBatch = BATCH * (0.002 + 0.003) + 0.01 + 0.05;
        assertThat(rate(model, workers(0))).isCloseTo(BATCH / perBatch, within(0.001));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8, 40})
    void workersThatOnlyWaitDoNotHinderEachOther(int workers) {
        LoaderModel model = on(FOUR_CORES, costing(0, 0.01));

        assertThat(rate(model, workers(workers))).isCloseTo(workers / 0.01, within(0.1));
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "6, 6", "7, 6", "20, 6"})
    void storageCapsHowManyWaitAtATime(int workers, int served) {
        LoaderModel model = on(FOUR_CORES.withStorageConcurrency(6), costing(0, 0.01));

        assertThat(rate(model, workers(workers))).isCloseTo(served / 0.01, within(0.5));
    }

    @ParameterizedTest
    @CsvSource({"4, 1, 1", "4, 3, 3", "4, 4, 4", "4, 12, 4", "2.5, 2, 2", "2.5, 8, 2.5", "0.5, 1, 0.5"})
    void workIsDoneByAsManyCoresAsThereAreWorkersForThem(double cores, int workers, double busy) {
        LoaderModel model = on(ModelledMachine.ideal(cores), costing(0.004, 0));

        assertThat(rate(model, workers(workers))).isCloseTo(busy / 0.004, within(busy));
    }

    @Test
    void waitsWantMoreWorkersThanCores() {
        LoaderModel model = on(ModelledMachine.ideal(2), costing(0.001, 0.009));

        assertThat(rate(model, workers(2))).isCloseTo(2 / 0.01, within(1.0));
        assertThat(rate(model, workers(60))).isCloseTo(2 / 0.001, within(100.0));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 9})
    void aSlowStepSetsTheRate(int workers) {
        LoaderModel model = new LoaderModel(FOUR_CORES, costing(0.001, 0), ModelledStep.of(0.064));

        assertThat(rate(model, workers(workers))).isCloseTo(BATCH / 0.064, within(0.01));
    }

    @Test
    void aStepThatWorksOnTheHostTakesTheWorkersCores() {
        ModelledStep busy = ModelledStep.none().withHostCpuSeconds(0.064);
        LoaderModel model = new LoaderModel(ModelledMachine.ideal(2), costing(0.004, 0), busy);

        double workPerBatch = BATCH * 0.004 + 0.064;
        assertThat(rate(model, workers(4, 4))).isCloseTo(2 * BATCH / workPerBatch, within(1.0));
    }

    @Test
    void aHostThatMayBeAheadLoadsBesideTheStep() {
        ModelledDataset dataset = costing(0.002, 0);
        ModelledStep step = ModelledStep.of(0.06);

        LoaderModel waiting = new LoaderModel(FOUR_CORES, dataset, step);
        LoaderModel ahead = new LoaderModel(FOUR_CORES, dataset, step.withStepsAhead(2));

        assertThat(rate(waiting, workers(0))).isCloseTo(BATCH / (0.064 + 0.06), within(0.001));
        assertThat(rate(ahead, workers(0))).isCloseTo(BATCH / 0.064, within(0.001));
    }

    @Test
    void contentionAndSwitchingSlowTheWorkersDown() {
        ModelledMachine machine = FOUR_CORES.withCores(new ModelledCores(2, 0.25, 0.1));
        LoaderModel model = on(machine, costing(0.004, 0));

        assertThat(rate(model, workers(1))).isCloseTo(1 / 0.004, within(0.1));
        assertThat(rate(model, workers(2))).isCloseTo(2 / 0.004 / 1.25, within(0.5));
        assertThat(rate(model, workers(5))).isCloseTo(2 / 0.004 / 1.55, within(1.0));
    }

    @Test
    void batchesPassTheTrainingProcessOneByOne() {
        ModelledTransfer slow = new ModelledTransfer(
                Double.POSITIVE_INFINITY, 0, 0.01, 1e6, 1 << 20, 1e9, 1e9, Double.POSITIVE_INFINITY, 1e9);
        LoaderModel model = on(ModelledMachine.ideal(16).withTransfer(slow), costing(0.001, 0));

        double receiving = 0.01 + BATCH * 1_000 / 1e6;
        assertThat(rate(model, workers(8))).isCloseTo(BATCH / receiving, within(0.01));
    }

    @Test
    void writingToSharedMemoryIsTheWorkersWork() {
        ModelledTransfer slow = new ModelledTransfer(
                1e6, 0.002, 0, Double.POSITIVE_INFINITY, 1 << 20, 1e9, 1e9, Double.POSITIVE_INFINITY, 1e9);
        LoaderModel model = on(FOUR_CORES.withTransfer(slow), costing(0.001, 0));

        assertThat(rate(model, workers(0))).isCloseTo(1_000, within(0.1));
        assertThat(rate(model, workers(1))).isCloseTo(BATCH / (BATCH * 0.002 + 0.002), within(0.1));
    }

    @Test
    void batchesTooLargeForReuseCostFreshMemoryWithoutWorkers() {
        ModelledTransfer fresh = new ModelledTransfer(
                Double.POSITIVE_INFINITY,
                0,
                0,
                Double.POSITIVE_INFINITY,
                BATCH * 1_000 - 1,
                1e6,
                1e9,
                Double.POSITIVE_INFINITY,
                1e9);
        LoaderModel model = on(FOUR_CORES.withTransfer(fresh), costing(0.001, 0));

        assertThat(rate(model, workers(0))).isCloseTo(1 / 0.002, within(0.1));
        assertThat(rate(model, workers(1))).isCloseTo(1 / 0.001, within(0.1));
    }

    @Test
    void aPageableCopyHoldsTheHostAndAPinnedOneDoesNot() {
        ModelledTransfer device = ModelledTransfer.free().withDevice(Double.POSITIVE_INFINITY, 1e6, 1e6);
        ModelledStep step = ModelledStep.of(0.02).withHostCpuSeconds(0.01).withStepsAhead(2);
        LoaderModel model = new LoaderModel(FOUR_CORES.withTransfer(device), costing(0.0001, 0), step);

        double copy = BATCH * 1_000 / 1e6;
        assertThat(rate(model, pinned(2))).isCloseTo(BATCH / (copy + 0.02), within(0.01));
        assertThat(rate(model, workers(2))).isCloseTo(BATCH / (copy + 0.01 + 0.02), within(0.01));
    }

    @Test
    void thePinningThreadWorksBesideTheTrainingProcess() {
        ModelledTransfer pinning = new ModelledTransfer(
                Double.POSITIVE_INFINITY,
                0,
                0.01,
                Double.POSITIVE_INFINITY,
                1 << 20,
                1e9,
                1e6,
                Double.POSITIVE_INFINITY,
                Double.POSITIVE_INFINITY);
        LoaderModel model =
                new LoaderModel(FOUR_CORES.withTransfer(pinning), costing(0.0001, 0), ModelledStep.of(0.03));

        double pin = BATCH * 1_000 / 1e6;
        assertThat(rate(model, pinned(2))).isCloseTo(BATCH / (0.01 + pin), within(0.01));
        assertThat(rate(model, pinned(0))).isCloseTo(BATCH / (BATCH * 0.0001 + pin + 0.03), within(0.01));
    }

    @Test
    void ranksShareCoresAndStorage() {
        LoaderModel working = on(ModelledMachine.ideal(8).withRanks(4), costing(0.004, 0));
        LoaderModel waiting = on(ModelledMachine.ideal(8).withRanks(4).withStorageConcurrency(6), costing(0, 0.01));

        assertThat(rate(working, workers(1))).isCloseTo(4 / 0.004, within(2.0));
        assertThat(rate(working, workers(6))).isCloseTo(8 / 0.004, within(5.0));
        assertThat(rate(waiting, workers(3))).isCloseTo(6 / 0.01, within(2.0));
    }

    @Test
    void theSlowestRankHoldsTheOthers() {
        ModelledDataset uneven = new ModelledDataset("test", SampleCost.lognormal(0.004, 4), SampleCost.NONE, 1_000, 0);

        double alone = rate(on(ModelledMachine.ideal(64), uneven), workers(0));
        double together = rate(on(ModelledMachine.ideal(64).withRanks(8), uneven), workers(0));

        assertThat(together).isLessThan(8 * alone * 0.8);
    }
}
