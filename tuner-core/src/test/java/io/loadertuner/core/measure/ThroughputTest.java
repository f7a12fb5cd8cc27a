package io.loadertuner.core.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThroughputTest {

    @Test
    void below_three_rounds_there_is_no_interval() {
        Throughput one = Throughput.of(atTheMemory(100));
        Throughput two = Throughput.of(atTheMemory(100, 400));

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
        Throughput throughput = Throughput.of(atTheMemory(121, 100, 110));

        // Logarithms 0.0953102 apart: squares 0.0181681, with the prior's 4 × 0.01 over 2 + 4 degrees a deviation of
        // 0.0984615, whose share in the middle's error is √(π/2) / √3 times itself, 0.0712469. All rounds at the end of
        // one memory: 1 − 2 × (1 − 1/e) + 2/e = 0.4715178 of the variance is drift's, a deviation of 0.0676107.
        // t(0.975, 6) = 2.446912 times the root of both squares, 0.0982209, is 0.2403377.
        assertThat(throughput.samplesPerSecond()).isCloseTo(110, within(1e-9));
        assertThat(throughput.low()).isCloseTo(86.49985, within(1e-4));
        assertThat(throughput.high()).isCloseTo(139.88464, within(1e-4));
        assertThat(throughput.rounds()).isEqualTo(3);
    }

    @Test
    void rounds_that_are_spread_over_the_studys_time_say_more_than_those_that_lie_together() {
        Throughput spread =
                Throughput.of(List.of(new TimedRate(121, 0), new TimedRate(100, 94), new TimedRate(110, 188)));

        // As above, but drift has 0.0967206 of the variance: 2.446912 × 0.0984615 × √(π/6 + 0.0967206) = 0.1897548.
        assertThat(spread.low()).isCloseTo(90.98781, within(1e-4));
        assertThat(spread.high()).isCloseTo(132.98485, within(1e-4));
    }

    @Test
    void one_round_gone_wrong_hardly_moves_the_median() {
        Throughput throughput = Throughput.of(atTheMemory(100, 100, 10, 100, 100));

        assertThat(throughput.samplesPerSecond()).isCloseTo(100, within(1e-9));
    }

    @Test
    void an_even_number_of_rounds_has_its_middle_between_two() {
        Throughput throughput = Throughput.of(atTheMemory(80, 100, 125, 90));

        // √(90 × 100) = 94.868330; t(0.975, 7) = 2.364624.
        assertThat(throughput.samplesPerSecond()).isCloseTo(94.868330, within(1e-5));
        assertThat(throughput.low()).isCloseTo(68.92022, within(1e-4));
        assertThat(throughput.high()).isCloseTo(130.58578, within(1e-4));
        assertThat(Throughput.median(List.of(80.0, 100.0, 125.0, 90.0))).isEqualTo(throughput.samplesPerSecond());
    }

    /** Measured when 94 s have passed, the time in which drift forgets. */
    private static List<TimedRate> atTheMemory(double... rates) {
        return Arrays.stream(rates).mapToObj(rate -> new TimedRate(rate, 94)).toList();
    }
}
