package io.loadertuner.core.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class LocationTest {

    @Test
    void a_median_is_the_middle_value_or_the_mean_of_the_middle_two() {
        assertThat(Location.MEDIAN.of(List.of(9.0, 1.0, 2.0))).isEqualTo(2);
        assertThat(Location.MEDIAN.of(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(3);
    }

    @Test
    void hodges_lehmann_is_the_median_of_the_means_of_all_pairs() {
        assertThat(Location.HODGES_LEHMANN.of(List.of(5.0))).isEqualTo(5);
        assertThat(Location.HODGES_LEHMANN.of(List.of(5.0, 8.0))).isEqualTo(6.5);
        // 1, 1.5, 2, 5, 5.5, 9: the middle two are 2 and 5.
        assertThat(Location.HODGES_LEHMANN.of(List.of(9.0, 1.0, 2.0))).isEqualTo(3.5);
    }

    @Test
    void a_quarter_of_disturbed_rounds_hardly_moves_it() {
        List<Double> undisturbed = List.of(1.0, 1.1, 0.9, 1.05, 0.95, 1.0, 1.02, 0.98);
        List<Double> disturbed = List.of(1.0, 1.1, 0.9, 1.05, 0.95, 1.0, -50.0, -50.0);

        assertThat(Location.HODGES_LEHMANN.of(disturbed))
                .isCloseTo(Location.HODGES_LEHMANN.of(undisturbed), within(0.06));
    }

    @Test
    void of_normal_values_their_errors_over_the_means_are_as_stated() {
        Random random = new Random(5);
        int count = 40;
        int repeats = 4_000;
        double[] mean = new double[repeats];
        double[] median = new double[repeats];
        double[] pairs = new double[repeats];
        for (int repeat = 0; repeat < repeats; repeat++) {
            List<Double> values = DoubleStream.generate(random::nextGaussian)
                    .limit(count)
                    .boxed()
                    .toList();
            mean[repeat] =
                    values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
            median[repeat] = Location.MEDIAN.of(values);
            pairs[repeat] = Location.HODGES_LEHMANN.of(values);
        }

        // Standard errors of these standard deviations are 1.1 %.
        assertThat(deviation(median) / deviation(mean)).isCloseTo(Location.MEDIAN.overMean(count), within(0.04));
        assertThat(deviation(pairs) / deviation(mean)).isCloseTo(Location.HODGES_LEHMANN.overMean(count), within(0.04));
    }

    private static double deviation(double[] values) {
        return Math.sqrt(
                DoubleStream.of(values).map(value -> value * value).average().orElseThrow());
    }
}
