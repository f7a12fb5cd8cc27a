package io.loadertuner.core.study;

import static io.loadertuner.core.study.Settings.config;
import static io.loadertuner.core.study.StudyTest.ask;
import static io.loadertuner.core.study.StudyTest.next;
import static io.loadertuner.core.study.StudyTest.study;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.space.SearchSpace;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StudyOptimizeTest {
    private final HandMadeClock clock = new HandMadeClock();

    /** Takes 4 s a round. */
    private final Objective objective = trial -> {
        clock.now = clock.now.plusSeconds(4);
        return Outcome.value(100.0 * (1 + trial.config().numWorkers()));
    };

    @Test
    void it_measures_until_the_sampler_wants_no_more() throws Exception {
        Study study = study(Direction.MAXIMIZE, ask(0), ask(2), ask(1));

        study.optimize(objective, new Budget(60, 10), clock);

        assertThat(study.trials()).extracting(Trial::config).containsExactly(config(0), config(2), config(1));
        assertThat(study.told()).extracting(Observation::costSeconds).containsOnly(4.0);
        assertThat(study.told()).extracting(Observation::elapsedSeconds).containsExactly(4.0, 8.0, 12.0);
        assertThat(study.bestValue()).isCloseTo(300, within(1e-9));
    }

    @Test
    void it_ends_with_the_budgets_trials_and_repeats_cost_none() throws Exception {
        Study study = study(Direction.MAXIMIZE, ask(0), ask(1), ask(0, 2), ask(1, 2), ask(2), ask(3));

        study.optimize(objective, new Budget(60, 2), clock);

        assertThat(study.told()).extracting(Observation::ask).containsExactly(ask(0), ask(1), ask(0, 2), ask(1, 2));
        assertThat(study.trials()).extracting(Trial::number).containsExactly(1, 2);
    }

    @Test
    void it_begins_no_round_after_the_budgets_time() throws Exception {
        Study study = study(Direction.MAXIMIZE, ask(0), ask(1), ask(2), ask(3));

        study.optimize(objective, new Budget(10, 10), clock);

        // Rounds begin after 0, 4 and 8 s; after 12 s the budget is spent.
        assertThat(study.trials()).hasSize(3).extracting(Trial::state).containsOnly(TrialState.COMPLETE);
    }

    @Test
    void a_repeat_that_no_time_is_left_for_takes_nothing_from_its_trial() throws Exception {
        Study study = study(Direction.MAXIMIZE, ask(0), ask(1), ask(2), ask(2, 2));

        study.optimize(objective, new Budget(10, 10), clock);

        assertThat(study.trials()).hasSize(3).extracting(Trial::state).containsOnly(TrialState.COMPLETE);
        assertThat(study.bestTrial().ask()).isEqualTo(ask(2));
        assertThat(study.bestValue()).isCloseTo(300, within(1e-9));
    }

    @Test
    void with_a_larger_budget_it_goes_on() throws Exception {
        Study study = study(Direction.MAXIMIZE, ask(0), ask(1), ask(2), ask(3));
        study.optimize(objective, new Budget(10, 10), clock);

        study.optimize(objective, new Budget(60, 10), clock);

        assertThat(study.trials()).extracting(Trial::number).containsExactly(1, 2, 3, 4);
        assertThat(study.told().get(3).elapsedSeconds()).isEqualTo(16);
    }

    @Test
    void an_interrupt_ends_it_and_the_trial_was_never_asked_for() {
        Study study = study(Direction.MAXIMIZE, ask(0), ask(1), ask(0, 2));

        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> study.optimize(
                        trial -> {
                            if (trial.config().numWorkers() == 1) {
                                throw new InterruptedException();
                            }
                            return objective.measure(trial);
                        },
                        new Budget(60, 10),
                        clock));

        assertThat(study.trials()).extracting(Trial::config).containsExactly(config(0));
        assertThat(next(study).ask()).isEqualTo(ask(1));
    }

    @Test
    void what_the_objective_throws_in_a_repeat_leaves_the_trial_as_it_was() {
        Study study = study(Direction.MAXIMIZE, ask(0), ask(0, 2));

        assertThatIllegalStateException()
                .isThrownBy(() -> study.optimize(
                        trial -> {
                            trial.report(1, trial.isRepeat() ? 70 : 50);
                            if (trial.isRepeat()) {
                                throw new IllegalStateException("broken");
                            }
                            return Outcome.value(100);
                        },
                        new Budget(60, 10),
                        clock))
                .withMessage("broken");

        assertThat(study.bestTrial().state()).isEqualTo(TrialState.COMPLETE);
        assertThat(study.bestTrial().reports()).containsExactly(Map.entry(1, 50.0));
        assertThat(next(study).ask()).isEqualTo(ask(0, 2));
    }

    @Test
    void failures_and_pruned_trials_do_not_end_it() throws Exception {
        Study study = study(Direction.MAXIMIZE, ask(0), ask(1), ask(2));

        study.optimize(
                trial -> switch (trial.config().numWorkers()) {
                    case 0 -> Outcome.failed("worker_crashed");
                    case 1 -> {
                        trial.report(1, 50);
                        yield Outcome.pruned();
                    }
                    default -> Outcome.value(100);
                },
                new Budget(60, 10),
                clock);

        assertThat(study.trials())
                .extracting(Trial::state)
                .containsExactly(TrialState.FAILED, TrialState.PRUNED, TrialState.COMPLETE);
    }

    @Test
    void one_at_a_time_may_use_the_whole_budget_for_there_is_no_confirmation() throws Exception {
        SearchSpace space =
                new SearchSpace(List.of(0, 1, 2, 3, 4, 6, 8), List.of(2), List.of(false), List.of(64), true, null);
        Study study = Study.create(space, Direction.MAXIMIZE);

        study.optimize(
                trial -> {
                    clock.now = clock.now.plusSeconds(4);
                    return Outcome.value(1000);
                },
                new Budget(28, 60),
                clock);

        // Seven rounds of 4 s; were 40 % kept, four would do.
        assertThat(study.told()).hasSizeGreaterThanOrEqualTo(5);
    }

    private static final class HandMadeClock implements InstantSource {
        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }
    }
}
