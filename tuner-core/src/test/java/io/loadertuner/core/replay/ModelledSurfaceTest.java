package io.loadertuner.core.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.model.LoaderModel;
import io.loadertuner.core.model.ModelledDataset;
import io.loadertuner.core.model.ModelledMachine;
import io.loadertuner.core.model.ModelledMemory;
import io.loadertuner.core.model.ModelledStep;
import io.loadertuner.core.model.SampleCost;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Ask;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Samples of 2 ms in batches of ten on ideal cores: figures that can be worked out by hand. */
@NullUnmarked
class ModelledSurfaceTest {
    private static final ModelledMachine MACHINE = ModelledMachine.ideal(8).withWorkerStartSeconds(0.1);
    private static final LoaderConfig TWO = config(2);

    @Test
    void ratesAreThoseOfLoaderAndStep() {
        ModelledSurface surface = surface(MACHINE, ModelledStep.takingIn(800));

        assertThat(surface.samplesPerSecond(TWO)).isCloseTo(800, within(1.0));
        assertThat(surface.loaderAloneSamplesPerSecond(TWO)).isCloseTo(1_000, within(1.0));
        assertThat(surface.stepSamplesPerSecond(TWO).getAsDouble()).isCloseTo(800, within(1e-9));
        assertThat(surface.samplesPerSecond(config(0))).isCloseTo(1 / (1 / 500.0 + 1 / 800.0), within(1.0));
    }

    @Test
    void withoutAStepThereIsNone() {
        assertThat(surface(MACHINE, ModelledStep.none()).stepSamplesPerSecond(TWO))
                .isEmpty();
    }

    @Test
    void theStepOfSeveralRanksTakesInAsMuchMore() {
        ModelledSurface surface = surface(MACHINE.withRanks(2), ModelledStep.takingIn(800));

        assertThat(surface.stepSamplesPerSecond(TWO).getAsDouble()).isCloseTo(1_600, within(1e-9));
    }

    @Test
    void overheadIsTheStartOfAllWorkersTheFirstBatchAndTheirEnd() {
        ModelledSurface surface = surface(MACHINE, ModelledStep.takingIn(800));

        assertThat(surface.overheadSeconds(TWO)).isCloseTo(2 * 0.1 + 10 * 0.002 + 0.02 + 2 * 0.015, within(1e-6));
        assertThat(surface.overheadSeconds(config(0))).isZero();
    }

    @Test
    void aConfigThatMemoryDoesNotSufficeForFailsWhenItIsMeasured() {
        ModelledSurface surface =
                surface(MACHINE.withMemory(new ModelledMemory(1_000, 1e12, 0)), ModelledStep.takingIn(800));

        assertThat(surface.failure(TWO)).contains("shared_memory_exhausted");
        assertThat(new ReplayedMachine(surface, NoiseProfile.SHARED, 0)
                        .measure(Ask.first(TWO))
                        .failure())
                .isEqualTo("shared_memory_exhausted");
        assertThat(surface.failure(config(0))).isEmpty();
    }

    private static ModelledSurface surface(ModelledMachine machine, ModelledStep step) {
        return new ModelledSurface(new LoaderModel(
                machine, new ModelledDataset("test", SampleCost.constant(0.002), SampleCost.NONE, 100, 0), step));
    }

    private static LoaderConfig config(int workers) {
        return LoaderConfig.of(workers, 2, false, 10, true, null);
    }
}
