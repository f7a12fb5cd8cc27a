package io.loadertuner.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.diagnosis.Finding;
import io.loadertuner.core.loader.Examination;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Recommendation.Kind;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What a study looks at beside its rounds. */
@NullUnmarked // an unexpected null fails the test where it is met
class TunerExaminationTest extends FormulaStudies {

    @Test
    void workersAreExaminedOnceAndWhatTheyTellIsKept() throws Exception {
        loader.examination = new Examination(true, 1, 1, null);

        StudyReport report = tuner.run(ID, request(), journal, TuningListener.NONE);

        assertThat(loader.examined).hasSize(1).allMatch(config -> config.numWorkers() > 0);
        assertThat(journal.preparation().orElseThrow().examination()).isEqualTo(loader.examination);
        assertThat(report.findings().stream().map(Finding::code))
                .containsExactly("repeated_random_numbers", "narrowed_affinity");
    }

    @Test
    void anExaminationThatFailsIsNotRepeatedAndSpoilsNothing() throws Exception {
        loader.failureOfExamination = TrialFailure.of(FailureReason.TIMED_OUT, "nothing happened");

        StudyReport report = tuner.run(ID, request(), journal, TuningListener.NONE);

        assertThat(loader.examined).hasSize(1);
        assertThat(journal.preparation().orElseThrow().examination().problem()).contains("nothing happened");
        assertThat(report.notes()).anyMatch(note -> note.endsWith("could not be examined: nothing happened"));
        assertThat(report.findings()).isEmpty();
        assertThat(report.recommendation().kind()).isEqualTo(Kind.FASTER);
    }

    @Test
    void twoWorkersAreNotExaminedWhereTwoHung() throws Exception {
        loader.examination = new Examination(true, 1, 1, null);
        for (int prefetch : List.of(1, 2, 4, 8)) {
            loader.failures.put(
                    LoaderConfig.of(2, prefetch, false, 32, true, null),
                    TrialFailure.of(FailureReason.TIMED_OUT, "nothing happened"));
        }
        EarlierStudies earlier = thatHung(new KnownHang(
                LoaderConfig.of(2, 2, false, 32, true, null), FailureReason.TIMED_OUT, "an-earlier-one", 3));

        StudyReport report =
                new Tuner(loader, () -> MACHINE, loader, earlier).run(ID, request(), journal, TuningListener.NONE);

        assertThat(loader.examined).isEmpty();
        assertThat(report.notes())
                .anyMatch(note -> note.contains("could not be examined: timed_out in trial 3 of study an-earlier-one"));
        assertThat(report.recommendation().config().numWorkers()).isEqualTo(4);
    }

    @Test
    void thePauseBetweenPassesIsLookedAtOnceForEachContenderAndPutTogetherWithTheRate() throws Exception {
        loader.epochGapSeconds = OptionalDouble.of(3.0);

        StudyReport report = tuner.run(ID, request(), journal, TuningListener.NONE);

        assertThat(loader.passed)
                .doesNotHaveDuplicates()
                .contains(report.recommendation().config());
        // 1,000 samples in batches of 32 at 400 a second: 968 of them after the first batch.
        assertThat(report.recommendation().epoch().samplesPerSecond()).isCloseTo(1000 / (3 + 2.42), within(1e-9));
        assertThat(report.findings().stream().map(Finding::code)).containsExactly("epoch_gap");
    }
}
