package io.loadertuner.core.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Ask;
import java.util.OptionalDouble;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@NullUnmarked
class ReplayedMachineTest {
    /** The loader alone gives 500/s and the step takes in 1,000/s: in turns that is 333/s, side by side up to 500/s. */
    @ParameterizedTest
    @CsvSource({"0, 333.3", "0, 450", "0, 500", "2, 480"})
    void withoutNoiseItMeasuresTheTruthHoweverMuchOfTheStepRunsBesideTheLoader(int workers, double truth) {
        Surface surface = new HandMadeSurface(config -> truth, config -> 500, OptionalDouble.of(1_000));

        assertThat(rate(surface, NoiseProfile.NONE, workers)).isCloseTo(truth, within(1e-6));
    }

    @Test
    void whatTheStepHoldsUpHasNoNoiseOfTheLoader() {
        Surface surface = new HandMadeSurface(config -> 500, config -> 5_000, OptionalDouble.of(500));

        double slowest = Double.MAX_VALUE;
        for (int seed = 0; seed < 50; seed++) {
            ReplayedMachine machine = new ReplayedMachine(surface, new NoiseProfile(1e-9, 0.5, 94), seed);
            double rate = machine.measure(Ask.first(config(0))).samplesPerSecond();
            assertThat(rate).isLessThan(520);
            slowest = Math.min(slowest, rate);
        }
        // 2 ms a sample, of which the loader's 0.2 ms triple at worst.
        assertThat(slowest).isBetween(350.0, 500.0);
    }

    private static double rate(Surface surface, NoiseProfile noise, int workers) {
        return new ReplayedMachine(surface, noise, 1)
                .measure(Ask.first(config(workers)))
                .samplesPerSecond();
    }

    private static LoaderConfig config(int workers) {
        return LoaderConfig.of(workers, 2, false, 64, true, null);
    }
}
