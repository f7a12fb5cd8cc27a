package io.loadertuner.core.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DriftTest {
    private static final double MEMORY_SECONDS = 94;

    @Test
    void one_moment_long_after_the_beginning_has_the_moods_own_variance_and_that_of_the_mean() {
        double memories = 1000;

        // 1 − 2 × (1 / 1000) + 2 × (1000 − 1) / 1000²
        assertThat(Drift.shareOfVariance(List.of(memories * MEMORY_SECONDS))).isCloseTo(0.999998, within(1e-9));
    }

    @Test
    void the_same_moment_again_says_no_more() {
        double once = Drift.shareOfVariance(List.of(MEMORY_SECONDS));

        // 1 − 2 × (1 − 1/e) + 2/e
        assertThat(once).isCloseTo(0.4715178, within(1e-7));
        assertThat(Drift.shareOfVariance(Collections.nCopies(40, MEMORY_SECONDS)))
                .isCloseTo(once, within(1e-9));
    }

    @Test
    void many_rounds_spread_evenly_are_the_mean() {
        List<Double> everySecond = IntStream.rangeClosed(0, 300)
                .mapToObj(second -> (double) second)
                .toList();

        assertThat(Drift.shareOfVariance(everySecond)).isCloseTo(0, within(1e-4));
    }

    @Test
    void where_no_time_has_passed_nothing_has_drifted() {
        assertThat(Drift.shareOfVariance(List.of(0.0, 0.0, 0.0))).isZero();
    }
}
