package io.loadertuner.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.loadertuner.core.space.LoaderConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each shape is held up by what its name says, on small and on large machines. */
class BottleneckShapeTest {

    @ParameterizedTest
    @CsvSource({"8, 1", "32, 4", "128, 8", "128, 1"})
    void decodingWantsAWorkerPerCore(int cores, int gpus) {
        LoaderModel model = BottleneckShape.CPU_BOUND.on(cores, gpus);
        int share = cores / gpus;

        assertThat(rate(model, share)).isGreaterThan(1.5 * rate(model, share / 2));
        assertThat(rate(model, 2 * share)).isLessThan(1.1 * rate(model, share));
    }

    @ParameterizedTest
    @CsvSource({"8, 1", "32, 4", "128, 8", "128, 1"})
    void waitsForStorageWantSeveralWorkersPerCore(int cores, int gpus) {
        LoaderModel model = BottleneckShape.STORAGE_LATENCY.on(cores, gpus);
        int share = cores / gpus;

        assertThat(rate(model, 2 * share)).isGreaterThan(1.5 * rate(model, share));
        assertThat(rate(model, 4 * share)).isGreaterThan(1.2 * rate(model, 2 * share));
    }

    @ParameterizedTest
    @CsvSource({"8, 1", "32, 4", "128, 8", "128, 1"})
    void limitedStorageGainsNothingFromMoreWorkersThanItServes(int cores, int gpus) {
        LoaderModel model = BottleneckShape.STORAGE_LIMITED.on(cores, gpus);
        int served = cores / 2 / gpus;

        assertThat(rate(model, served)).isGreaterThan(1.5 * rate(model, served / 2));
        assertThat(rate(model, 4 * served)).isLessThan(1.3 * rate(model, served));
        assertThat(rate(model, 4 * served)).isLessThan(1.05 * rate(model, 2 * served));
    }

    @ParameterizedTest
    @CsvSource({"8, 1", "32, 4", "128, 8", "128, 1"})
    void largeSamplesAreBestLoadedWithoutWorkers(int cores, int gpus) {
        LoaderModel model = BottleneckShape.TRANSFER_BOUND.on(cores, gpus);

        assertThat(rate(model, 1)).isLessThan(0.5 * rate(model, 0));
        assertThat(rate(model, 4)).isLessThan(rate(model, 0));
        assertThat(rate(model, 8)).isLessThan(rate(model, 0));
    }

    @ParameterizedTest
    @CsvSource({"8, 1", "32, 4", "128, 8", "128, 1"})
    void aSlowDeviceIsKeptBusyByFewWorkers(int cores, int gpus) {
        LoaderModel model = BottleneckShape.STEP_BOUND.on(cores, gpus);
        int share = cores / gpus;

        assertThat(rate(model, share / 2)).isGreaterThan(1.2 * rate(model, 1));
        assertThat(rate(model, share)).isBetween(0.97 * rate(model, share / 2), 1.03 * rate(model, share / 2));
    }

    @ParameterizedTest
    @CsvSource({"8, 1", "32, 4", "128, 8", "128, 1"})
    void tinyRowsAreBestLoadedWithoutWorkersInLargeBatches(int cores, int gpus) {
        LoaderModel model = BottleneckShape.OVERHEAD_BOUND.on(cores, gpus);

        assertThat(rate(model, 0)).isGreaterThan(1.3 * rate(model, 4));
        assertThat(rate(model, 0, 1_024)).isGreaterThan(1.5 * rate(model, 0));
    }

    @Test
    void machinesOutsideTheRangeAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> BottleneckShape.CPU_BOUND.on(4, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> BottleneckShape.CPU_BOUND.on(64, 9));
    }

    private static double rate(LoaderModel model, int workers) {
        return rate(model, workers, 64);
    }

    private static double rate(LoaderModel model, int workers, int batchSize) {
        return model.steadyRate(LoaderConfig.of(workers, 2, false, batchSize, false, null))
                .orElseThrow();
    }
}
