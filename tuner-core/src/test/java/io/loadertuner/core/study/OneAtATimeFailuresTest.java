package io.loadertuner.core.study;

import static io.loadertuner.core.study.Settings.config;
import static io.loadertuner.core.study.Settings.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Conclusion.StoppedBy;
import io.loadertuner.core.study.Recommendation.Kind;
import io.loadertuner.core.study.SimulatedMachine.SimulatedStudy;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OneAtATimeFailuresTest {
    private static final int SEEDS = 20;

    @Test
    void where_everything_fails_nothing_is_recommended() {
        SimulatedMachine broken = waiting().failingAt(ask -> true);

        for (long seed = 0; seed < SEEDS; seed++) {
            SimulatedStudy study = broken.run(settings().seed(seed), seed);

            assertThat(study.conclusion().recommendation()).isNull();
            assertThat(study.conclusion().tieSet()).isEmpty();
            assertThat(study.conclusion().stoppedBy()).isEqualTo(StoppedBy.FAILURES);
            assertThat(study.end().resolvableDifference()).isEmpty();
        }
    }

    @Test
    void a_baseline_that_fails_is_left_for_what_works() {
        SimulatedMachine machine = waiting().failingAt(ask -> ask.config().numWorkers() == 0);

        for (long seed = 0; seed < SEEDS; seed++) {
            Recommendation found = recommended(machine.run(settings().seed(seed), seed));

            assertThat(found.kind()).isEqualTo(Kind.FASTER);
            assertThat(found.config()).isEqualTo(config(8));
            assertThat(found.speedup()).isNull();
            assertThat(found.reason()).contains("the baseline (0 workers, batch 64) fails");
        }
    }

    @Test
    void a_baseline_that_fails_in_the_last_comparison_is_left_too() {
        SimulatedMachine machine = waiting()
                .failingAt(ask -> ask.config().numWorkers() == 0 && ask.phase() == Phase.CONFIRM && ask.round() == 3);

        for (long seed = 0; seed < SEEDS; seed++) {
            Recommendation found = recommended(machine.run(settings().seed(seed), seed));

            assertThat(found.config()).isEqualTo(config(8));
            assertThat(found.reason()).contains("failed after it had worked");
        }
    }

    @Test
    void a_config_that_fails_is_passed_over() {
        SimulatedMachine machine = waiting().failingAt(ask -> ask.config().numWorkers() == 8);

        for (long seed = 0; seed < SEEDS; seed++) {
            SimulatedStudy study = machine.run(settings().seed(seed), seed);

            assertThat(study.asks())
                    .filteredOn(ask -> ask.config().numWorkers() == 8)
                    .hasSize(1);
            assertThat(recommended(study).config()).isEqualTo(config(6));
        }
    }

    @Test
    void the_best_config_failing_in_the_last_comparison_leaves_the_next() {
        SimulatedMachine machine = waiting()
                .failingAt(ask -> ask.config().numWorkers() == 8 && ask.phase() == Phase.CONFIRM && ask.round() == 2);

        for (long seed = 0; seed < SEEDS; seed++) {
            Recommendation found = recommended(machine.run(settings().seed(seed), seed));

            assertThat(found.config().numWorkers()).isIn(4, 6);
            assertThat(found.kind()).isEqualTo(Kind.FASTER);
        }
    }

    @Test
    void a_baseline_that_breaks_a_constraint_is_never_the_answer() {
        // Two workers are allowed; the baseline has eight and is four times as fast.
        SimulatedMachine machine = waiting();

        for (long seed = 0; seed < SEEDS; seed++) {
            Recommendation found = recommended(machine.run(
                    settings()
                            .baseline(config(8))
                            .infeasible(config ->
                                    config.numWorkers() > 2 ? Optional.of("max_num_workers is 2") : Optional.empty())
                            .seed(seed),
                    seed));

            assertThat(found.config()).isEqualTo(config(2));
            assertThat(found.kind()).isEqualTo(Kind.CHEAPER);
            assertThat(found.reason()).contains("max_num_workers is 2");
        }
    }

    @Test
    void what_works_is_found_though_every_start_fails() {
        // Only the shallowest queue fits into shared memory.
        SimulatedMachine machine = waiting()
                .withStepTakingIn(100_000)
                .failingAt(ask -> !Objects.equals(ask.config().prefetchFactor(), 1));

        for (long seed = 0; seed < SEEDS; seed++) {
            Recommendation found =
                    recommended(machine.run(settings().step(machine.stepRate()).seed(seed), seed));

            assertThat(found.config().prefetchFactor()).isEqualTo(1);
            assertThat(found.reason()).contains("fails");
        }
    }

    @Test
    void what_works_at_another_batch_size_alone_is_found() {
        SimulatedMachine machine = waiting().failingAt(ask -> ask.config().batchSize() > 16);

        for (long seed = 0; seed < SEEDS; seed++) {
            Recommendation found =
                    recommended(machine.run(settings().batches(16, 64).seed(seed), seed));

            assertThat(found.config().batchSize()).isEqualTo(16);
        }
    }

    @Test
    void what_works_is_found_though_the_baseline_and_the_leader_come_to_fail() {
        SimulatedMachine machine = waiting()
                .withStepTakingIn(100_000)
                .failingAt(ask -> ask.config().numWorkers() == 0
                        || (ask.config().numWorkers() == 8 && ask.phase() == Phase.PREFETCH_FACTOR));

        for (long seed = 0; seed < SEEDS; seed++) {
            Recommendation found = recommended(machine.run(
                    settings()
                            .workers(List.of(0, 2, 8))
                            .step(machine.stepRate())
                            .seed(seed),
                    seed));

            assertThat(found.config().numWorkers()).isEqualTo(2);
        }
    }

    @Test
    void what_must_not_be_tried_is_listed_with_the_reason() {
        SimulatedStudy study = waiting()
                .run(
                        settings()
                                .infeasible(config -> config.numWorkers() > 4
                                        ? Optional.of("more than 4 workers do not fit")
                                        : Optional.empty())
                                .seed(1),
                        1);

        assertThat(study.end().skipped())
                .containsExactlyInAnyOrder(
                        new Skip(config(6), "more than 4 workers do not fit"),
                        new Skip(config(8), "more than 4 workers do not fit"));
        assertThat(study.asks()).extracting(ask -> ask.config().numWorkers()).doesNotContain(6, 8);
        assertThat(recommended(study).config()).isEqualTo(config(4));
    }

    @Test
    void the_baseline_is_measured_though_it_lies_outside_the_space() {
        LoaderConfig outside = LoaderConfig.of(5, 3, false, 48, false, null);

        SimulatedStudy study = waiting().run(settings().baseline(outside).seed(1), 1);

        assertThat(study.asks()).filteredOn(ask -> ask.config().equals(outside)).hasSizeGreaterThanOrEqualTo(6);
        assertThat(recommended(study)).isNotNull();
    }

    private static SimulatedMachine waiting() {
        return SimulatedMachine.whoseLoaderDelivers(config -> 500 * Math.max(1, config.numWorkers()));
    }

    private static Recommendation recommended(SimulatedStudy study) {
        return Objects.requireNonNull(study.recommendation());
    }
}
