package io.loadertuner.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Phase;
import io.loadertuner.core.tuning.StudyReport.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What of its budget a study says that it used and has left, held against the clock that it runs by. */
@NullUnmarked // an unexpected null fails the test where it is met
class TunerBudgetTest extends FormulaStudies {

    @Test
    void what_is_used_and_left_is_told_after_every_round() throws Exception {
        Instant begun = loader.instant();
        List<Progress> told = new ArrayList<>();
        List<Double> seconds = new ArrayList<>();
        List<StudyState> states = new ArrayList<>();
        TuningListener listener = new TuningListener() {
            @Override
            public void roundEnded(TrialReport trial, StudyReport study) {
                told.add(study.progress());
                states.add(study.state());
                seconds.add(Duration.between(begun, loader.instant()).toMillis() / 1000.0);
            }
        };

        StudyReport last = tuner.run(ID, request(60, 9), journal, listener);

        for (int round = 0; round < told.size() - 1; round++) {
            Progress progress = told.get(round);
            assertThat(states.get(round)).isEqualTo(StudyState.RUNNING);
            assertThat(progress.secondsUsed()).isCloseTo(seconds.get(round), within(1e-9));
            assertThat(progress.secondsLeft()).isCloseTo(Math.max(0, 60 - seconds.get(round)), within(1e-9));
            assertThat(progress.trialsLeft()).isEqualTo(9 - progress.trials());
        }
        // Opening takes 3 s, a round 2 s and the first look at a config's samples 0.6 s: a hundredth of the budget.
        assertThat(told.get(0)).isEqualTo(new Progress(1, 8, 5.6, 54.4));
        assertThat(told.get(1)).isEqualTo(new Progress(1, 8, 7.6, 52.4));
        assertThat(told).extracting(Progress::trials).isSorted().endsWith(5);
        assertThat(last.progress().secondsLeft()).isZero();
        assertThat(last.progress().trialsLeft()).isZero();
        assertThat(last.progress().secondsUsed()).isLessThanOrEqualTo(60 + 2);
    }

    @Test
    void before_the_first_trial_all_is_left_and_after_the_end_nothing() {
        StudyReport queued = StudyReport.queued(ID, request(60, 9), null);

        assertThat(queued.progress()).isEqualTo(new Progress(0, 9, 0, 60));
        assertThat(queued.after(12.5).progress()).isEqualTo(new Progress(0, 9, 12.5, 47.5));
        assertThat(queued.after(61).progress()).isEqualTo(new Progress(0, 9, 61, 0));
        assertThat(queued.after(61)
                        .ended(StudyState.CANCELLED, TrialFailure.of(FailureReason.CANCELLED, "enough"))
                        .progress())
                .isEqualTo(new Progress(0, 0, 61, 0));
    }

    @Test
    void a_study_that_cannot_begin_has_used_its_time_and_has_nothing_left() throws Exception {
        loader.failureOfCheck = TrialFailure.of(FailureReason.DATASET_ERROR, "broken");

        StudyReport failed = tuner.run(ID, request(60, 9), journal, TuningListener.NONE);

        assertThat(failed.state()).isEqualTo(StudyState.FAILED);
        assertThat(failed.progress()).isEqualTo(new Progress(0, 0, 3, 0));
    }

    /** Opening takes 3 s and each round 2 s: room for 28 rounds. */
    @Test
    void a_minute_holds_search_confirmation_and_guard() throws Exception {
        StudyReport report = tuner.run(ID, request(60, 60), journal, TuningListener.NONE);

        assertThat(report.state()).isEqualTo(StudyState.COMPLETED);
        assertThat(report.recommendation().config().numWorkers()).isEqualTo(4);
        assertThat(report.recommendation().speedup().rounds()).isGreaterThanOrEqualTo(3);
        assertThat(report.recommendation().throughput().low()).isNotNull();
        assertThat(report.baseline().throughput().low()).isNotNull();
        LoaderConfig recommended = report.recommendation().config();
        assertThat(confirmingRounds(report.baseline().config()))
                .isEqualTo(confirmingRounds(recommended))
                .isGreaterThanOrEqualTo(3);
    }

    private long confirmingRounds(LoaderConfig config) {
        return journal.trials().stream()
                .filter(trial -> trial.config().equals(config))
                .flatMap(trial -> trial.rounds().stream())
                .filter(round -> round.phase() == Phase.CONFIRM)
                .count();
    }

    private static StudyRequest request(int seconds, int trials) {
        return TunerJson.mapper().readValue("""
                        {"name": "a", "source": {"kind": "synthetic", "samples": 1000},
                         "space": {"num_workers": {"min": 0, "max": 4}, "batch_size": [32]},
                         "budget": {"seconds": %d, "trials": %d}}
                        """.formatted(seconds, trials), StudyRequest.class);
    }
}
