package io.loadertuner.core.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResolutionTest {

    @Test
    void before_anything_is_measured_the_prior_speaks() {
        // exp(t(0.975, 4) × √(π/3) × √2 × 0.075 / √5) − 1 with t = 2.776445.
        assertThat(Resolution.resolvableDifference(List.of(), 5)).isCloseTo(0.1442741, within(1e-5));
    }

    @Test
    void repeats_without_noise_prove_only_so_much() {
        // Deviation √(4 × 0.005625 / 8); t(0.975, 8) = 2.306004.
        assertThat(Resolution.resolvableDifference(List.of(100.0, 100.0, 100.0, 100.0, 100.0), 5))
                .isCloseTo(0.0823666, within(1e-5));
    }

    @Test
    void repeats_with_noise_resolve_less() {
        assertThat(Resolution.resolvableDifference(List.of(90.0, 100.0, 110.0), 5))
                .isCloseTo(0.1428463, within(1e-5));
        assertThat(Resolution.resolvableDifference(List.of(50.0, 100.0, 200.0), 5))
                .isGreaterThan(0.8);
    }

    @Test
    void more_pairs_resolve_more() {
        List<Double> repeats = List.of(90.0, 100.0, 110.0);

        assertThat(Resolution.resolvableDifference(repeats, 20))
                .isLessThan(Resolution.resolvableDifference(repeats, 5));
    }

    @Test
    void a_ratio_says_what_its_interval_allows() {
        assertThat(new Ratio(1.1, 1.01, 1.2, 5).verdict()).isEqualTo(Verdict.BETTER);
        assertThat(new Ratio(1.1, 1.0, 1.2, 5).verdict()).isEqualTo(Verdict.CANNOT_TELL);
        assertThat(new Ratio(0.9, 0.8, 1.0, 5).verdict()).isEqualTo(Verdict.CANNOT_TELL);
        assertThat(new Ratio(0.9, 0.8, 0.99, 5).verdict()).isEqualTo(Verdict.WORSE);
    }
}
