package io.loadertuner.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Conclusion.StoppedBy;
import io.loadertuner.core.study.Skip;
import io.loadertuner.core.study.TrialState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Trials that fail, and studies that go on all the same or end with the reason. */
@NullUnmarked // an unexpected null fails the test where it is met
class TunerFailuresTest extends FormulaStudies {

    @Test
    void onlyHangsAndTheTunersOwnDeathsAreRemembered() {
        assertThat(KnownHang.isRemembered(TrialFailure.of(FailureReason.TIMED_OUT, "nothing happened")))
                .isTrue();
        assertThat(KnownHang.isRemembered(
                        TrialFailure.of(FailureReason.PROBE_LOST, "it was ended", Map.of("signal", "SIGSEGV"))))
                .isFalse();
    }

    @Test
    void aConfigUnderWhichTheTunerDiedTwiceIsNotTriedAgain() throws Exception {
        LoaderConfig baseline = LoaderConfig.of(0, 2, false, 32, true, null);
        journal.roundBegun(1, baseline);
        journal.roundBegun(1, baseline);

        StudyReport report = tuner.run(ID, request(), journal, TuningListener.NONE);

        assertThat(loader.measured).doesNotContain(baseline);
        TrialRecord lost = byNumber(journal.trials()).get(1);
        assertThat(lost.failure().failure().reason()).isEqualTo(FailureReason.PROBE_LOST);
        assertThat(report.state()).isEqualTo(StudyState.COMPLETED);
        assertThat(report.recommendation().speedup()).isNull();
    }

    @Test
    void oneFailedTrialNeverEndsTheStudyAndIsNotRepeated() throws Exception {
        LoaderConfig two = LoaderConfig.of(2, 2, false, 32, true, null);
        loader.failures.put(two, TrialFailure.of(FailureReason.WORKER_CRASHED, "killed"));

        StudyReport report = tuner.run(ID, request(), journal, TuningListener.NONE);

        assertThat(report.state()).isEqualTo(StudyState.COMPLETED);
        assertThat(loader.measured).containsOnlyOnce(two);
        assertThat(journal.trials())
                .filteredOn(trial -> trial.config().equals(two))
                .singleElement()
                .satisfies(trial -> assertThat(trial.state()).isEqualTo(TrialState.FAILED));
    }

    @Test
    void aStudyInWhichEverythingFailsSaysWhy() throws Exception {
        CalculatedLoader broken = new CalculatedLoader(config -> 1);
        for (int workers = 0; workers <= 4; workers++) {
            broken.failures.put(
                    LoaderConfig.of(workers, 2, false, 32, true, null),
                    TrialFailure.of(FailureReason.WORKER_CRASHED, "killed by SIGKILL"));
        }

        StudyReport report = new Tuner(broken, () -> MACHINE, broken).run(ID, request(), journal, TuningListener.NONE);

        assertThat(report.state()).isEqualTo(StudyState.FAILED);
        assertThat(report.recommendation()).isNull();
        assertThat(report.failure().reason()).isEqualTo(FailureReason.WORKER_CRASHED);
        assertThat(report.failure().message()).contains("killed by SIGKILL");
        assertThat(report.stoppedBy()).isEqualTo(StoppedBy.FAILURES);
    }

    @Test
    void identicalFailuresOfTheDataEndTheStudyEarlyWithOneGroup() throws Exception {
        CalculatedLoader broken = new CalculatedLoader(config -> 1);
        for (int workers = 0; workers <= 4; workers++) {
            broken.failures.put(
                    LoaderConfig.of(workers, 2, false, 32, true, null),
                    TrialFailure.of(
                            FailureReason.DATASET_ERROR,
                            "ValueError: sample " + workers + " is broken",
                            Map.of("exception", "ValueError", "frame", "data.py:12 in __getitem__")));
        }

        StudyReport report = new Tuner(broken, () -> MACHINE, broken).run(ID, request(), journal, TuningListener.NONE);

        assertThat(broken.measured).hasSize(3);
        assertThat(report.state()).isEqualTo(StudyState.FAILED);
        assertThat(report.failure().message())
                .isEqualTo("all 3 trials failed in the same way: ValueError: sample 0 is broken");
        assertThat(report.failure().details().get("failures"))
                .asInstanceOf(InstanceOfAssertFactories.list(Map.class))
                .singleElement()
                .isEqualTo(Map.of(
                        "reason", "dataset_error",
                        "message", "ValueError: sample 0 is broken",
                        "exception", "ValueError",
                        "frame", "data.py:12 in __getitem__",
                        "advice", FailureReason.DATASET_ERROR.advice(),
                        "count", 3,
                        "trials", List.of(1, 2, 3)));
        // It ends in the same place when it goes on.
        StudyReport resumed = new Tuner(broken, () -> MACHINE, broken).run(ID, request(), journal, TuningListener.NONE);
        assertThat(broken.measured).hasSize(3);
        assertThat(resumed.failure()).isEqualTo(report.failure());
    }

    @Test
    void aConfigThatHungInAnEarlierStudyIsSkippedUnlessItIsTheBaseline() throws Exception {
        LoaderConfig two = LoaderConfig.of(2, 2, false, 32, true, null);
        LoaderConfig baseline = LoaderConfig.of(0, 2, false, 32, true, null);
        EarlierStudies earlier = thatHung(
                new KnownHang(two, FailureReason.TIMED_OUT, "an-earlier-one", 3),
                new KnownHang(baseline, FailureReason.TIMED_OUT, "an-earlier-one", 1));

        StudyReport report =
                new Tuner(loader, () -> MACHINE, loader, earlier).run(ID, request(), journal, TuningListener.NONE);

        assertThat(loader.measured).contains(baseline).doesNotContain(two);
        assertThat(report.skipped())
                .containsExactly(new Skip(
                        two,
                        "timed_out in trial 3 of study an-earlier-one of this dataset; it is tried again under a new"
                                + " version of the dataset, or after POST"
                                + " /api/v1/studies/an-earlier-one/trials/3/retry has worked"));
        assertThat(report.notes()).anyMatch(note -> note.contains("hung in earlier studies"));
        assertThat(report.recommendation().config().numWorkers()).isEqualTo(4);
    }

    @Test
    void aRateThatIsNoNumberFailsItsTrialAlone() throws Exception {
        loader.windowSeconds.put(LoaderConfig.of(2, 2, false, 32, true, null), Double.MIN_VALUE);

        StudyReport report = tuner.run(ID, request(), journal, TuningListener.NONE);

        assertThat(report.state()).isEqualTo(StudyState.COMPLETED);
        assertThat(journal.trials())
                .filteredOn(trial -> trial.failure() != null)
                .singleElement()
                .satisfies(trial -> {
                    assertThat(trial.config().numWorkers()).isEqualTo(2);
                    assertThat(trial.failure().failure().message()).isEqualTo("200 samples in 4.9E-324 s are no rate");
                });
        assertThat(report.recommendation().config().numWorkers()).isEqualTo(4);
    }

    @Test
    void anAttemptMeasuresOneConfigInThreeRoundsOrShowsHowItFails() throws Exception {
        LoaderConfig two = LoaderConfig.of(2, 2, false, 32, true, null);
        loader.prints = true;

        Attempt worked = tuner.attempt(ID, request(), two);
        loader.failures.put(two, TrialFailure.of(FailureReason.TIMED_OUT, "hangs"));
        Attempt failed = tuner.attempt(ID, request(), two);

        assertThat(worked.failure()).isNull();
        assertThat(worked.rounds()).extracting(RoundRecord::samplesPerSecond).containsExactly(200.0, 200.0, 200.0);
        assertThat(worked.log().text()).startsWith("built; 2 workers, prefetch 2, batch 32; ");
        assertThat(failed.rounds()).isEmpty();
        assertThat(failed.failure().failure().message()).isEqualTo("hangs");
        assertThat(loader.measured).containsOnly(two).hasSize(4);
        assertThat(loader.openSessions).isZero();
    }

    @Test
    void aDatasetThatCannotBeReadEndsTheStudyBeforeAnyTrial() throws Exception {
        loader.failureOfCheck = TrialFailure.of(FailureReason.DATASET_ERROR, "sample 0 is broken");

        StudyReport report = tuner.run(ID, request(), journal, TuningListener.NONE);

        assertThat(report.state()).isEqualTo(StudyState.FAILED);
        assertThat(report.failure().message()).isEqualTo("sample 0 is broken");
        assertThat(report.device()).isEqualTo("cpu");
        assertThat(loader.measured).isEmpty();
        assertThat(loader.openSessions).isZero();
    }

    @Test
    void aFailureIsNotLostWhereTheMachineCannotBeInspected() throws Exception {
        loader.failureOfCheck = TrialFailure.of(FailureReason.DATASET_ERROR, "sample 0 is broken");
        Tuner blind = new Tuner(
                loader,
                () -> {
                    throw new UncheckedIOException(new IOException("/proc cannot be read"));
                },
                loader);

        StudyReport report = blind.run(ID, request(), journal, TuningListener.NONE);

        assertThat(report.state()).isEqualTo(StudyState.FAILED);
        assertThat(report.failure().message()).isEqualTo("sample 0 is broken");
        assertThat(report.device()).isNull();
    }
}
