package io.loadertuner.core.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ThroughputTest {

    @Test
    void below_three_rounds_there_is_no_interval() {
        Throughput one = Throughput.of(List.of(100.0));
        Throughput two = Throughput.of(List.of(100.0, 400.0));

        assertThat(one.samplesPerSecond()).isCloseTo(100, within(1e-9));
        assertThat(one.low()).isNull();
        assertThat(one.high()).isNull();
        // In the middle of the logarithms: the geometric mean.
        assertThat(two.samplesPerSecond()).isCloseTo(200, within(1e-9));
        assertThat(two.low()).isNull();
        assertThat(two.rounds()).isEqualTo(2);
    }

    @Test
    void three_rounds_have_an_interval_that_the_prior_keeps_from_being_narrow() {
        Throughput throughput = Throughput.of(List.of(121.0, 100.0, 110.0));

        // Logarithms 0.0953102 apart: squares 0.0181681, with the prior's 4 × 0.01 over 2 + 4 degrees a deviation of
        // 0.0984615. t(0.975, 6) = 2.446912; 2.446912 × √(π/2) × 0.0984615 / √3 = 0.1743349.
        assertThat(throughput.samplesPerSecond()).isCloseTo(110, within(1e-9));
        assertThat(throughput.low()).isCloseTo(92.40171, within(1e-4));
        assertThat(throughput.high()).isCloseTo(130.94996, within(1e-4));
        assertThat(throughput.rounds()).isEqualTo(3);
    }

    @Test
    void one_round_gone_wrong_hardly_moves_the_median() {
        Throughput throughput = Throughput.of(List.of(100.0, 100.0, 10.0, 100.0, 100.0));

        assertThat(throughput.samplesPerSecond()).isCloseTo(100, within(1e-9));
    }

    @Test
    void an_even_number_of_rounds_has_its_middle_between_two() {
        Throughput throughput = Throughput.of(List.of(80.0, 100.0, 125.0, 90.0));

        // √(90 × 100) = 94.868330; t(0.975, 7) = 2.364624.
        assertThat(throughput.samplesPerSecond()).isCloseTo(94.868330, within(1e-5));
        assertThat(throughput.low()).isCloseTo(76.484690, within(1e-4));
        assertThat(throughput.high()).isCloseTo(117.670608, within(1e-4));
        assertThat(Throughput.median(List.of(80.0, 100.0, 125.0, 90.0))).isEqualTo(throughput.samplesPerSecond());
    }
}
