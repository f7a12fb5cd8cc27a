package io.loadertuner.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Budget;
import io.loadertuner.core.study.TrialState;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked // an unexpected null fails the test where it is met
class SampleChecksTest {
    private static final String ID = "6f1d0a52-0001-4000-8000-000000000001";
    private static final Machine MACHINE = new Machine("host", "cpu", 2, null, 1L << 34, 1L << 33, 1L << 33, List.of());
    private static final LoaderConfig FASTEST = LoaderConfig.of(4, 2, false, 32, true, null);

    private final CalculatedLoader loader = new CalculatedLoader(config -> 100.0 * Math.max(1, config.numWorkers()));
    private final Tuner tuner = new Tuner(loader, () -> MACHINE, loader);
    private final MemoryJournal journal = new MemoryJournal();

    @Test
    void aConfigThatDeliversWrongSamplesNeverWinsHoweverFastItIs() throws Exception {
        loader.wrongData.put(FASTEST, TrialFailure.of(FailureReason.WRONG_DATA, "sample 6 is another"));

        StudyReport report = tuner.run(ID, request(300), journal, TuningListener.NONE);

        assertThat(report.state()).isEqualTo(StudyState.COMPLETED);
        assertThat(report.recommendation().config().numWorkers()).isEqualTo(3);
        TrialRecord wrong = trial(FASTEST);
        assertThat(wrong.state()).isEqualTo(TrialState.FAILED);
        assertThat(wrong.rounds()).isEmpty();
        assertThat(wrong.failure().failure().reason()).isEqualTo(FailureReason.WRONG_DATA);
        assertThat(loader.measured).containsOnlyOnce(FASTEST);
        assertThat(report.bestByBatchSize()).noneMatch(best -> best.trial() == wrong.number());
    }

    @Test
    void everyConfigIsCheckedOnceAndNotAgainInAStudyThatGoesOn() throws Exception {
        tuner.run(ID, request(300), journal, TuningListener.NONE);

        assertThat(loader.verified).doesNotHaveDuplicates();
        assertThat(new HashSet<>(loader.verified)).isEqualTo(new HashSet<>(loader.measured));

        CalculatedLoader fresh = new CalculatedLoader(config -> 100.0 * Math.max(1, config.numWorkers()));
        Tuner again = new Tuner(fresh, () -> MACHINE, fresh);
        MemoryJournal kept = new MemoryJournal();
        try {
            again.run(ID, request(300), new DyingJournal(kept, 30, true), TuningListener.NONE);
        } catch (DyingJournal.Killed killed) {
            assertThat(kept.trials()).hasSizeGreaterThan(2);
        }
        again.run(ID, request(300), kept, TuningListener.NONE);
        // The round that was open when it was killed is measured again, and with it its config is checked.
        assertThat(fresh.verified.size()).isLessThanOrEqualTo(new HashSet<>(fresh.verified).size() + 1);
    }

    @Test
    void aCheckTakesTimeOfTheStudyButNotOfARound() throws Exception {
        StudyReport report = tuner.run(ID, request(100), journal, TuningListener.NONE);

        // Rounds of 2 s; a check takes a hundredth of 100 s.
        List<RoundRecord> rounds = journal.trials().get(0).rounds();
        assertThat(rounds.get(0).costSeconds()).isCloseTo(2.0, within(1e-9));
        assertThat(rounds.get(0).elapsedSeconds()).isCloseTo(6.0, within(1e-9));
        assertThat(rounds.get(1).elapsedSeconds()).isCloseTo(8.0, within(1e-9));
        assertThat(report.state()).isEqualTo(StudyState.COMPLETED);
    }

    @Test
    void whatCouldNotBeComparedIsSaidAndCounts() throws Exception {
        loader.whyNotVerified = "the samples were not compared";

        StudyReport report = tuner.run(ID, request(300), journal, TuningListener.NONE);

        assertThat(report.recommendation().config()).isEqualTo(FASTEST);
        assertThat(TrialReport.of(trial(FASTEST), Optional.empty()).warnings())
                .containsExactly("the samples were not compared");
    }

    @Test
    void whereTheUsersLoaderMakesTheBatchesTheBatchSizeIsNotVaried() throws Exception {
        loader.batchSizeFrozenBy = "batch_size=None";
        StudyRequest request = new StudyRequest(
                "numbers",
                null,
                null,
                new Source.Synthetic(1000, null, 0, 0, 0),
                null,
                null,
                null,
                new SpaceRequest(
                        new IntegerRange(List.of(0, 4)), null, null, new IntegerRange(List.of(16, 64)), null, null),
                null,
                null,
                new Budget(300, null),
                null,
                null);

        StudyReport report = tuner.run(ID, request, journal, TuningListener.NONE);

        // The check was asked for 16, the first of the space, and so many samples came.
        assertThat(loader.measured).isNotEmpty().allMatch(config -> config.batchSize() == 16);
        assertThat(report.notes())
                .contains("batch_size was not varied: the DataLoader that the factory returned has batch_size=None,"
                        + " which decides what a batch is; the first one held 16 samples");
    }

    private TrialRecord trial(LoaderConfig config) {
        return journal.trials().stream()
                .filter(trial -> trial.config().equals(config))
                .findFirst()
                .orElseThrow();
    }

    private static StudyRequest request(int seconds) {
        return new StudyRequest(
                "numbers",
                null,
                null,
                new Source.Synthetic(1000, null, 0, 0, 0),
                null,
                null,
                null,
                new SpaceRequest(
                        new IntegerRange(List.of(0, 1, 2, 3, 4)),
                        null,
                        null,
                        new IntegerRange(List.of(32)),
                        null,
                        null),
                null,
                null,
                new Budget(seconds, null),
                null,
                null);
    }
}
