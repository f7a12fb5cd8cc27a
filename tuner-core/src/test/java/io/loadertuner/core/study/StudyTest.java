package io.loadertuner.core.study;

import static io.loadertuner.core.study.Settings.config;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.space.SearchSpace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StudyTest {
    private static final SearchSpace SPACE =
            new SearchSpace(List.of(0, 1, 2, 3), List.of(2), List.of(false), List.of(64), true, null);

    @Test
    void it_is_used_as_optuna_is() {
        Study study = Study.create(SPACE, Direction.MAXIMIZE);

        for (Optional<Trial> trial = study.ask(); trial.isPresent(); trial = study.ask()) {
            study.tell(
                    trial.get(), Outcome.value(100.0 * (1 + trial.get().config().numWorkers())));
        }

        assertThat(study.bestTrial().config()).isEqualTo(config(3));
        assertThat(study.bestValue()).isCloseTo(400, within(1e-9));
        assertThat(study.trials()).extracting(Trial::number).containsExactly(1, 2, 3, 4);
        assertThat(study.trials()).extracting(Trial::state).containsOnly(TrialState.COMPLETE);
    }

    @Test
    void where_less_is_better_the_least_wins_and_keeps_its_unit() {
        Study study = study(Direction.MINIMIZE, ask(0), ask(1), ask(2), ask(2, 2));

        tellAll(study, 8, 20, 4, 6);

        // The middle of 4 s and 6 s is their geometric mean, as it is of the rates: √24 = 4.898979 s.
        assertThat(study.bestTrial().config()).isEqualTo(config(2));
        assertThat(study.bestValue()).isCloseTo(4.898979, within(1e-6));
        assertThat(study.told()).extracting(Observation::samplesPerSecond).startsWith(1 / 8.0, 1 / 20.0);
    }

    @Test
    void the_best_is_best_by_the_median_of_its_rounds() {
        Study study = study(Direction.MAXIMIZE, ask(0), ask(1), ask(1, 2), ask(1, 3));

        tellAll(study, 100, 300, 90, 80);

        assertThat(study.bestTrial().config()).isEqualTo(config(0));
        assertThat(study.bestValue()).isCloseTo(100, within(1e-9));
    }

    @Test
    void what_failed_in_any_round_is_not_the_best() {
        Study study = study(Direction.MAXIMIZE, ask(0), ask(1), ask(1, 2));

        study.tell(next(study), Outcome.value(100));
        study.tell(next(study), Outcome.value(300));
        study.tell(next(study), Outcome.failed("worker_crashed"));

        assertThat(study.bestTrial().config()).isEqualTo(config(0));
        assertThat(study.told().get(2).failure()).isEqualTo("worker_crashed");
        assertThat(study.trials()).extracting(Trial::state).containsExactly(TrialState.COMPLETE, TrialState.FAILED);
    }

    @Test
    void without_a_measured_trial_there_is_no_best() {
        Study study = study(Direction.MAXIMIZE, ask(0));
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(study::bestTrial);

        study.tell(next(study), Outcome.failed("timed_out"));

        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(study::bestTrial);
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(study::bestValue);
    }

    @Test
    void a_repeat_is_the_same_trial_with_one_more_round() {
        Study study = study(Direction.MAXIMIZE, ask(1), ask(1, 2));

        Trial first = next(study);
        assertThat(first.isRepeat()).isFalse();
        study.tell(first, Outcome.value(100));
        Trial again = next(study);

        assertThat(again).isSameAs(first);
        assertThat(again.isRepeat()).isTrue();
        assertThat(again.ask().round()).isEqualTo(2);
        assertThat(again.state()).isEqualTo(TrialState.RUNNING);
    }

    @Test
    void several_may_be_open_and_be_told_in_any_order() {
        Study study = study(Direction.MAXIMIZE, ask(0), ask(1), ask(2));
        Trial zero = next(study);
        Trial one = next(study);

        study.tell(one, Outcome.value(200), Duration.ofMillis(1500));
        study.tell(zero, Outcome.value(100), Duration.ofMillis(2500));

        assertThat(study.told()).extracting(told -> told.ask().config()).containsExactly(config(1), config(0));
        assertThat(study.told()).extracting(Observation::costSeconds).containsExactly(1.5, 2.5);
        assertThat(study.told()).extracting(Observation::elapsedSeconds).containsExactly(1.5, 4.0);
        assertThat(study.trials()).extracting(Trial::config).containsExactly(config(0), config(1));
    }

    @Test
    void where_the_sampler_must_know_an_open_trial_first_asking_says_which() {
        Study study = Study.builder(SPACE, Direction.MAXIMIZE)
                .sampler(view -> view.pending().isEmpty() ? new Proposal.Measure(ask(0)) : new Proposal.AwaitOutcome())
                .build();
        next(study);

        assertThatIllegalStateException().isThrownBy(study::ask).withMessage("tell one of these trials first: 1");
    }

    @Test
    void a_sampler_that_proposes_what_is_open_is_refused() {
        Study study = Study.builder(SPACE, Direction.MAXIMIZE)
                .sampler(view -> new Proposal.Measure(ask(0)))
                .build();
        next(study);

        assertThatIllegalStateException().isThrownBy(study::ask).withMessageContaining("trial 1, which is open");
    }

    @Test
    void a_trial_is_told_once() {
        Study study = study(Direction.MAXIMIZE, ask(0), ask(1));
        Trial trial = next(study);
        study.tell(trial, Outcome.value(100));

        assertThatIllegalStateException()
                .isThrownBy(() -> study.tell(trial, Outcome.value(100)))
                .withMessage("trial 1 is not an open trial of this study");
        assertThat(study.told()).hasSize(1);
    }

    @Test
    void a_trial_of_another_study_is_refused() {
        Study study = study(Direction.MAXIMIZE, ask(0));
        Trial foreign = next(study(Direction.MAXIMIZE, ask(0)));
        next(study);

        assertThatIllegalStateException().isThrownBy(() -> study.tell(foreign, Outcome.value(100)));
    }

    @Test
    void a_pruned_trial_has_the_value_of_its_last_report() {
        Study study = study(Direction.MINIMIZE, ask(0));
        Trial trial = next(study);
        trial.report(1, 20);
        trial.report(2, 10);

        study.tell(trial, Outcome.pruned());

        assertThat(trial.state()).isEqualTo(TrialState.PRUNED);
        assertThat(study.told().get(0).samplesPerSecond()).isEqualTo(0.1);
        assertThat(study.bestValue()).isCloseTo(10, within(1e-9));
    }

    @Test
    void what_reported_nothing_in_this_round_cannot_have_been_pruned() {
        Study study = study(Direction.MAXIMIZE, ask(0), ask(0, 2));
        Trial trial = next(study);

        assertThatIllegalStateException()
                .isThrownBy(() -> study.tell(trial, Outcome.pruned()))
                .withMessage("trial 1 was pruned before it reported a value");

        trial.report(1, 50);
        study.tell(trial, Outcome.value(60));
        Trial repeat = next(study);

        assertThatIllegalStateException().isThrownBy(() -> study.tell(repeat, Outcome.pruned()));
        assertThat(repeat.reports()).containsEntry(1, 50.0);
    }

    @Test
    void values_and_reports_are_positive_numbers() {
        Trial trial = next(study(Direction.MAXIMIZE, ask(0)));

        for (double value : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Outcome.value(value));
            assertThatIllegalArgumentException().isThrownBy(() -> trial.report(1, value));
        }
        assertThat(trial.reports()).isEmpty();
    }

    @Test
    void a_trial_keeps_what_the_user_notes() {
        Trial trial = next(study(Direction.MAXIMIZE, ask(0)));

        trial.setUserAttribute("host", "a").setUserAttribute("host", "b");

        assertThat(trial.userAttributes()).containsExactly(Map.entry("host", "b"));
    }

    @Test
    void a_restored_study_goes_on_where_the_other_was() {
        Study cutOff = Study.builder(SPACE, Direction.MAXIMIZE).seed(5).build();
        for (int round = 0; round < 3; round++) {
            Trial trial = next(cutOff);
            cutOff.tell(trial, Outcome.value(100.0 * (1 + trial.config().numWorkers())), Duration.ofSeconds(2));
        }
        Study restored = Study.builder(SPACE, Direction.MAXIMIZE).seed(5).build();

        restored.restore(cutOff.stored());

        assertThat(restored.told()).isEqualTo(cutOff.told());
        assertThat(restored.trials())
                .extracting(Trial::config)
                .isEqualTo(cutOff.trials().stream().map(Trial::config).toList());
        assertThat(restored.bestValue()).isEqualTo(cutOff.bestValue());
        assertThat(next(restored).ask()).isEqualTo(next(cutOff).ask());
        assertThat(restored.told().get(2).elapsedSeconds()).isEqualTo(6);
        assertThatIllegalStateException().isThrownBy(() -> restored.restore(cutOff.stored()));
    }

    @Test
    void a_restored_trial_stands_at_its_last_round() {
        Study study = study(Direction.MAXIMIZE);

        study.restore(new StoredStudy(
                List.of(
                        new Observation(ask(1), 100.0, null, 1, 1),
                        new Observation(ask(2), 90.0, null, 1, 2),
                        new Observation(ask(1, 2), null, "timed_out", 1, 3)),
                List.of()));

        assertThat(study.trials()).extracting(Trial::ask).containsExactly(ask(1, 2), ask(2));
        assertThat(study.trials()).extracting(Trial::state).containsExactly(TrialState.FAILED, TrialState.COMPLETE);
        assertThat(study.trials()).allMatch(Trial::isRepeat);
        assertThat(study.bestTrial().config()).isEqualTo(config(2));
    }

    @Test
    void a_restored_trial_is_pruned_where_it_was_and_keeps_its_reports_and_what_the_user_noted() {
        Study cutOff = study(Direction.MINIMIZE, ask(0), ask(1), ask(2));
        Trial fast = next(cutOff);
        fast.report(1, 2);
        cutOff.tell(fast.setUserAttribute("host", "a"), Outcome.value(2));
        Trial slow = next(cutOff);
        slow.report(1, 5);
        cutOff.tell(slow, Outcome.pruned());
        next(cutOff).setUserAttribute("host", "b");
        Study restored = study(Direction.MINIMIZE, ask(0), ask(1), ask(2));

        restored.restore(cutOff.stored());

        List<Trial> trials = List.copyOf(restored.trials());
        assertThat(trials).extracting(Trial::state).containsExactly(TrialState.COMPLETE, TrialState.PRUNED);
        assertThat(trials.get(0).userAttributes()).containsExactly(Map.entry("host", "a"));
        assertThat(trials.get(0).reports()).containsExactly(Map.entry(1, 2.0));
        assertThat(trials.get(1).reports()).containsExactly(Map.entry(1, 5.0));
        assertThat(restored.bestValue()).isCloseTo(2, within(1e-9));
        assertThat(restored.stored()).isEqualTo(cutOff.stored());
        // What was open was never asked for; the pruner goes on with what the others had reported.
        Trial open = next(restored);
        open.report(1, 5);
        assertThat(open.userAttributes()).isEmpty();
        assertThat(open.shouldPrune()).isTrue();
    }

    @Test
    void a_repeat_that_is_open_is_stored_as_its_trial_stood_before() {
        Study study = study(Direction.MAXIMIZE, ask(1), ask(1, 2));
        study.tell(next(study), Outcome.failed("timed_out"));
        next(study);

        assertThat(study.stored().trials())
                .extracting(StoredStudy.StoredTrial::state)
                .containsExactly(TrialState.FAILED);
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new StoredStudy.StoredTrial(config(1), TrialState.RUNNING, Map.of(), new TreeMap<>()));
    }

    @Test
    void what_an_open_round_reports_is_stored_only_when_it_is_told() {
        Study study = study(Direction.MAXIMIZE, ask(1), ask(1, 2));
        Trial trial = next(study);
        trial.report(1, 50);
        study.tell(trial, Outcome.value(60));
        next(study);
        trial.report(1, 70);
        trial.report(2, 80);

        assertThat(trial.reports()).containsExactly(Map.entry(1, 70.0), Map.entry(2, 80.0));
        assertThat(study.stored().trials().get(0).reports()).containsExactly(Map.entry(1, 50.0));

        study.tell(trial, Outcome.pruned());

        assertThat(study.stored().trials().get(0).reports()).containsExactly(Map.entry(1, 70.0), Map.entry(2, 80.0));
        assertThat(study.told().get(1).samplesPerSecond()).isEqualTo(80);
    }

    /** A study whose sampler proposes these asks in order, whatever comes of them. */
    static Study study(Direction direction, Ask... asks) {
        return Study.builder(SPACE, direction)
                .sampler(view -> {
                    int given = view.told().size() + view.pending().size();
                    return given < asks.length ? new Proposal.Measure(asks[given]) : new Proposal.Exhausted();
                })
                .build();
    }

    static Ask ask(int workers) {
        return Ask.first(config(workers));
    }

    static Ask ask(int workers, int round) {
        return Ask.repeat(config(workers), round);
    }

    static Trial next(Study study) {
        return study.ask().orElseThrow();
    }

    private static void tellAll(Study study, double... values) {
        for (double value : values) {
            study.tell(next(study), Outcome.value(value));
        }
    }
}
