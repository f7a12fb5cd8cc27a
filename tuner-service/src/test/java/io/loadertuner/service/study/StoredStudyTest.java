package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyReport.Progress;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.service.store.JsonText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** What is used and left of a budget of 60 s and 12 trials, 20 s and 4 trials of which were used at the newest report. */
class StoredStudyTest {
    private static final Instant REPORTED = Instant.parse("2026-11-30T12:00:00Z");

    @ParameterizedTest
    @CsvSource({
        // Milliseconds since the report, seconds used, seconds left.
        "0, 20, 40",
        "7250, 27.25, 32.75",
        "40000, 60, 0",
        "55000, 75, 0",
        // The clock of another machine may lag behind.
        "-3000, 20, 40"
    })
    void theTimeOfARunningStudyIsThatOfTheQuestion(long milliseconds, double used, double left) {
        StoredStudy running = study(StudyState.RUNNING, REPORTED, report());

        Progress progress = progress(running.answer(REPORTED.plusMillis(milliseconds)));

        assertThat(progress.secondsUsed()).isCloseTo(used, within(1e-9));
        assertThat(progress.secondsLeft()).isCloseTo(left, within(1e-9));
        assertThat(progress.trials()).isEqualTo(4);
        assertThat(progress.trialsLeft()).isEqualTo(8);
    }

    @Test
    void beforeTheFirstReportTimeGoesOnFromTheBeginning() {
        StoredStudy preparing = study(StudyState.RUNNING, REPORTED, queued());

        assertThat(progress(preparing.answer(REPORTED.plusSeconds(13)))).isEqualTo(new Progress(0, 12, 13, 47));
    }

    @Test
    void whereNobodyMeasuresTimeStandsStill() {
        Instant later = REPORTED.plusSeconds(1000);

        assertThat(progress(study(StudyState.QUEUED, null, queued()).answer(later)))
                .isEqualTo(new Progress(0, 12, 0, 60));
        assertThat(progress(study(StudyState.RUNNING, null, report()).answer(later)))
                .isEqualTo(new Progress(4, 8, 20, 40));
        assertThat(progress(study(StudyState.COMPLETED, REPORTED, report()).answer(later)))
                .isEqualTo(new Progress(4, 8, 20, 40));
    }

    @Test
    void aStudyThatIsEndedInTheMiddleOfARoundHasUsedThatTimeToo() {
        StoredStudy running = study(StudyState.RUNNING, REPORTED, report());
        TrialFailure why = TrialFailure.of(FailureReason.CANCELLED, "enough");

        StudyReport ended = running.reportAt(REPORTED.plusMillis(2500)).ended(StudyState.CANCELLED, why);

        assertThat(ended.progress()).isEqualTo(new Progress(4, 0, 22.5, 0));
    }

    @Test
    void whatWasStoredBeforeTrialsLeftWereToldIsAnswered() {
        ObjectNode before = report();
        ((ObjectNode) before.path("progress")).remove("trials_left");

        assertThat(progress(study(StudyState.RUNNING, REPORTED, before).answer(REPORTED.plusSeconds(1))))
                .isEqualTo(new Progress(4, 0, 21, 39));
    }

    private static Progress progress(ObjectNode answer) {
        return JsonText.value(answer.path("progress"), Progress.class);
    }

    private static ObjectNode report() {
        ObjectNode report = queued();
        report.set("progress", JsonText.tree(new Progress(4, 8, 20, 40)));
        return report;
    }

    private static ObjectNode queued() {
        StudyRequest request = JsonText.read("""
                {"name": "photos", "source": {"kind": "synthetic", "samples": 100},
                 "budget": {"seconds": 60, "trials": 12}}
                """, StudyRequest.class);
        return JsonText.tree(StudyReport.queued("1", request, null));
    }

    private static StoredStudy study(StudyState state, @Nullable Instant progressAt, ObjectNode report) {
        return new StoredStudy("1", 1, state, "photos", "here", "{}", JsonText.of(report), REPORTED, progressAt, null);
    }
}
