package io.loadertuner.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.replay.Coverage.Answers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether 95 % intervals hold the truth as often as they say; docs/measuring.md has the figures. */
class CoverageTest {
    private static final int COMPARISONS = 2_000;
    private static final Coverage SHARED = new Coverage(NoiseProfile.SHARED, COMPARISONS);
    private static final Coverage QUIET = new Coverage(NoiseProfile.QUIET, COMPARISONS);

    @ParameterizedTest
    @ValueSource(ints = {5, 10, 40})
    void of_a_fixed_pair_on_a_shared_machine_the_truth_is_held_as_often_as_stated(int rounds) {
        // The standard error of a share of 0.95 of 2,000 is 0.5 points.
        assertThat(SHARED.ofAPair(rounds)).isBetween(0.93, 0.97);
    }

    @Test
    void of_three_rounds_it_is_held_more_often_because_the_prior_weighs_more() {
        assertThat(SHARED.ofAPair(3)).isBetween(0.97, 0.99);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 10, 40})
    void of_a_fixed_pair_on_a_quiet_machine_the_truth_is_held_at_least_as_often(int rounds) {
        assertThat(QUIET.ofAPair(rounds)).isGreaterThanOrEqualTo(0.93);
    }

    @ParameterizedTest
    @CsvSource({"3, 60", "5, 60", "10, 60", "40, 60", "3, 200", "5, 200", "10, 200", "40, 200"})
    void of_one_config_the_mean_rate_over_the_studys_time_is_held(int rounds, double secondsBefore) {
        assertThat(SHARED.ofOneConfig(rounds, secondsBefore)).isGreaterThanOrEqualTo(0.93);
        assertThat(QUIET.ofOneConfig(rounds, secondsBefore)).isGreaterThanOrEqualTo(0.93);
    }

    /** Fewer, because each is some hundred rounds; docs/measuring.md has the figures of 2,000. */
    @Test
    void where_nothing_differs_the_baseline_is_left_in_less_than_one_of_forty_studies() {
        for (NoiseProfile noise : new NoiseProfile[] {NoiseProfile.SHARED, NoiseProfile.QUIET}) {
            assertThat(new Coverage(noise, 400).whereNothingDiffers().left()).isLessThan(0.025);
        }
    }

    @Test
    void the_interval_of_the_recommended_config_holds_its_true_speedup() {
        for (Coverage machine : new Coverage[] {SHARED, QUIET}) {
            Answers answers = machine.whereWorkersGain();

            assertThat(answers.left()).isGreaterThan(0.9);
            assertThat(answers.held()).isGreaterThanOrEqualTo(0.93);
        }
    }
}
