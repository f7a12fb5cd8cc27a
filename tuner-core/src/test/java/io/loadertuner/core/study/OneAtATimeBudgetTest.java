package io.loadertuner.core.study;

import static io.loadertuner.core.study.Settings.config;
import static io.loadertuner.core.study.Settings.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.study.Recommendation.Kind;
import io.loadertuner.core.study.SimulatedMachine.SimulatedStudy;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class OneAtATimeBudgetTest {
    private static final int SEEDS = 40;

    @Test
    void a_minute_is_enough_for_an_eightfold_difference() {
        SimulatedMachine waiting = waiting(200);

        for (long seed = 0; seed < SEEDS; seed++) {
            SimulatedStudy study = waiting.run(settings().budget(60, 60).seed(seed), seed);

            assertThat(recommended(study).kind()).isEqualTo(Kind.FASTER);
            assertThat(recommended(study).config().numWorkers()).isGreaterThanOrEqualTo(6);
            assertThat(study.lastRoundBegan()).isLessThanOrEqualTo(60);
        }
    }

    @Test
    void ten_seconds_are_enough_for_an_answer_that_says_what_it_rests_on() {
        SimulatedMachine waiting = waiting(200);

        for (long seed = 0; seed < SEEDS; seed++) {
            SimulatedStudy study = waiting.run(settings().budget(10, 60).seed(seed), seed);

            assertThat(study.lastRoundBegan()).isLessThanOrEqualTo(10);
            if (recommended(study).kind() == Kind.KEPT) {
                assertThat(recommended(study).config()).isEqualTo(config(0));
                assertThat(recommended(study).reason())
                        .containsAnyOf("no other config could be measured", "no time was left", "in 1 paired round");
            }
        }
    }

    @Test
    void batches_that_take_seconds_leave_time_to_find_a_better_config() {
        // One process takes 6.4 s for a batch.
        SimulatedMachine slow = waiting(10);

        for (long seed = 0; seed < SEEDS; seed++) {
            SimulatedStudy study = slow.run(settings().budget(300, 60).seed(seed), seed);

            assertThat(recommended(study).kind()).isEqualTo(Kind.FASTER);
            assertThat(recommended(study).config().numWorkers()).isGreaterThanOrEqualTo(2);
            assertThat(study.lastRoundBegan()).isLessThanOrEqualTo(300);
        }
    }

    @Test
    void a_single_trial_is_the_baseline() {
        SimulatedStudy study = waiting(200).run(settings().budget(300, 1).seed(1), 1);

        assertThat(study.asks()).extracting(Ask::config).containsOnly(config(0));
        assertThat(recommended(study).kind()).isEqualTo(Kind.KEPT);
        assertThat(recommended(study).reason()).contains("no other config could be measured");
        assertThat(study.end().skipped())
                .isNotEmpty()
                .extracting(Skip::reason)
                .allMatch(reason -> reason.contains("1 trial"));
    }

    @Test
    void trials_are_distinct_configs_not_rounds() {
        SimulatedStudy study = waiting(200).run(settings().budget(300, 4).seed(1), 1);

        assertThat(study.asks().stream().map(Ask::config).distinct()).hasSize(4);
        assertThat(study.history()).hasSizeGreaterThan(10);
    }

    @Test
    void the_baseline_is_repeated_three_times_where_there_is_time() {
        assertThat(baselineRounds(300)).isEqualTo(3);
        assertThat(baselineRounds(60)).isEqualTo(2);
        assertThat(baselineRounds(10)).isEqualTo(1);
    }

    private static long baselineRounds(int seconds) {
        return waiting(200).run(settings().budget(seconds, 60).seed(1), 1).asks().stream()
                .filter(ask -> ask.phase() == Phase.BASELINE)
                .count();
    }

    private static SimulatedMachine waiting(double samplesPerSecond) {
        return SimulatedMachine.whoseLoaderDelivers(config -> samplesPerSecond * Math.max(1, config.numWorkers()));
    }

    private static Recommendation recommended(SimulatedStudy study) {
        return Objects.requireNonNull(study.recommendation());
    }
}
