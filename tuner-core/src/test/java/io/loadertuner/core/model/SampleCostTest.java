package io.loadertuner.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class SampleCostTest {
    private static final int SAMPLES = 16;
    private static final int SUMS = 20_000;

    @Test
    void sumsHaveTheMeanAndDeviationOfIndependentSamples() {
        assertMoments(SampleCost.constant(0.004), 0.004, 0);
        assertMoments(SampleCost.lognormal(0.004, 0.5), 0.004, 0.5);
        assertMoments(SampleCost.bimodal(0.001, 0.011, 0.2), 0.003, 0.004 / 0.003);
        assertMoments(SampleCost.bimodal(0.001, 0.011, 0.8), 0.009, 0.004 / 0.009);
    }

    @Test
    void slowSamplesAreCountedByTheBinomialDistribution() {
        // 600 with a share of 0.5: mean 300, deviation √150; the chance of none would be 2⁻⁶⁰⁰.
        SampleCost counted = SampleCost.bimodal(0, 1, 0.5);
        SplittableRandom random = new SplittableRandom(2);
        double[] counts = DoubleStream.generate(() -> counted.sumSeconds(600, random))
                .limit(SUMS)
                .toArray();

        // One deviation either way holds P(288 <= X <= 312) = 0.6925 (normal approximation with its correction).
        assertThat(DoubleStream.of(counts).filter(x -> x >= 288 && x <= 312).count() / (double) SUMS)
                .isCloseTo(0.6925, within(0.01));
        assertThat(SampleCost.bimodal(2, 5, 0).sumSeconds(10, random)).isEqualTo(20);
        assertThat(SampleCost.bimodal(2, 5, 1).sumSeconds(10, random)).isEqualTo(50);
    }

    @Test
    void impossibleCostsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> SampleCost.constant(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> SampleCost.lognormal(1, Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> SampleCost.bimodal(1, 2, 1.5));
    }

    private static void assertMoments(SampleCost cost, double mean, double variation) {
        SplittableRandom random = new SplittableRandom(1);
        double[] sums = DoubleStream.generate(() -> cost.sumSeconds(SAMPLES, random))
                .limit(SUMS)
                .toArray();
        double average = DoubleStream.of(sums).average().orElseThrow();
        double deviation = Math.sqrt(DoubleStream.of(sums)
                .map(sum -> (sum - average) * (sum - average))
                .average()
                .orElseThrow());

        assertThat(cost.meanSeconds()).isCloseTo(mean, within(1e-12));
        assertThat(average / SAMPLES).isCloseTo(mean, within(0.02 * mean));
        assertThat(deviation / average).isCloseTo(variation / Math.sqrt(SAMPLES), within(0.01));
    }
}
