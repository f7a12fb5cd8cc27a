package io.loadertuner.core.wild;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.study.TrialState;
import io.loadertuner.core.tuning.FailureRecord;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.core.tuning.TrialRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Samples that are wrong, missing, doubled or cannot be read: no rate of theirs wins. */
@Execution(ExecutionMode.CONCURRENT)
@NullUnmarked
class WrongDataIT {
    /** Without workers, with one and with two; nothing else varies. */
    private static final String UP_TO_TWO_WORKERS = """
            {"space": {"num_workers": [0, 1, 2], "prefetch_factor": [2], "batch_size": [8]}, "budget": {"seconds": 400}}""";

    private static final String NONE_OR_TWO = """
            {"space": {"num_workers": [0, 2], "prefetch_factor": [2], "batch_size": [8]}, "budget": {"seconds": 200}}""";

    @TempDir
    Path folder;

    @Test
    void a_handle_shared_across_fork() throws Exception {
        WildStudy study =
                study("shared_handle", Map.of("path", folder.resolve("rows").toString()), UP_TO_TWO_WORKERS);

        TrialFailure failure = failure(study, 2);
        assertThat(failure.reason()).isEqualTo(FailureReason.WRONG_DATA);
        assertThat(failure.message())
                .startsWith("2 workers, prefetch 2, batch 8: ")
                .contains(" samples are not what 0 workers read, sample ");
        assertThat((int) Objects.requireNonNull(failure.details().get("wrong_samples")))
                .isPositive();
        assertThat((List<?>) failure.details().get("indices")).isNotEmpty();
        assertThat((List<?>) failure.details().get("examples")).isNotEmpty();
        assertThat(failure.advice()).contains("not in __init__: forked workers share");
        // Two workers would be the fastest by far: what they read is another's.
        assertThat(study.trialWith(2).rounds()).isEmpty();
        assertThat(study.trialWith(1).state()).isEqualTo(TrialState.COMPLETE);
        assertThat(winnersWorkers(study)).isLessThan(2);
        assertZeroWorkersWereMeasured(study);
    }

    @Test
    void an_epoch_that_ends_early() throws Exception {
        WildStudy study = study("cut_short", Map.of("samples", 200), NONE_OR_TWO);

        TrialFailure failure = failure(study, 2);
        assertThat(failure.reason()).isEqualTo(FailureReason.WRONG_DATA);
        // Each of two workers has a share of 100 samples and loses all but 50 of them.
        assertThat(failure.message())
                .endsWith("the epoch ended without an error after 100 samples, of which 0 workers deliver 200");
        assertThat(failure.details()).containsEntry("delivered_samples", 100L).containsEntry("expected_samples", 200L);
        assertThat(winnersWorkers(study)).isZero();
        assertZeroWorkersWereMeasured(study);
    }

    @Test
    void a_process_that_leaves_with_status_0() throws Exception {
        WildStudy study = study("exits_with_status_zero", Map.of(), NONE_OR_TWO);

        TrialFailure failure = failure(study, 2);
        assertThat(failure.reason()).isEqualTo(FailureReason.WORKER_CRASHED);
        assertThat(failure.message()).contains("exited unexpectedly with status 0");
        assertThat(failure.details()).containsEntry("exit_code", 0);
        assertZeroWorkersWereMeasured(study);
    }

    @Test
    void samples_of_different_shapes() throws Exception {
        StudyReport report =
                study("uneven", Map.of("what", "shape", "samples", 16), """
                {"space": {"num_workers": [0, 2], "prefetch_factor": [2], "batch_size": [16, 1]},
                 "budget": {"seconds": 200}}""").report();

        // One whole batch is read before anything is measured; at batch size 1 nothing would be put together.
        assertThat(report.state()).isEqualTo(StudyState.FAILED);
        assertThat(report.recommendation()).isNull();
        TrialFailure failure = Objects.requireNonNull(report.failure());
        assertThat(failure.reason()).isEqualTo(FailureReason.COLLATE_ERROR);
        assertThat(failure.message())
                .startsWith("sample 11 is float32 of shape [3, 5] at image, but sample ")
                .contains(" is float32 of shape [3, 4] (wild_data.py:");
        assertThat((List<?>) failure.details().get("indices")).first().isEqualTo(11);
        assertThat(failure.advice()).contains("collate_fn");
    }

    @Test
    void samples_of_different_shapes_in_workers_alone_are_one_failed_trial() throws Exception {
        WildStudy study = study("uneven", Map.of("what", "shape", "in_workers_only", true), NONE_OR_TWO);

        TrialFailure failure = study.survivedFailureOf(2);
        assertThat(failure.reason()).isEqualTo(FailureReason.COLLATE_ERROR);
        assertThat(failure.message())
                .startsWith("sample 11 is float32 of shape [3, 5] at image, but sample ")
                .contains(" is float32 of shape [3, 4] (wild_data.py:");
        assertThat((List<?>) failure.details().get("indices"))
                .hasSize(2)
                .first()
                .isEqualTo(11);
        assertThat(failure.details().get("worker")).isIn(0, 1);
        assertThat(study.trialWith(2).rounds()).isEmpty();
    }

    @Test
    void a_sample_that_cannot_be_read() throws Exception {
        for (String what : new String[] {"none", "truncated"}) {
            WildStudy study = study("uneven", Map.of("what", what, "samples", 16), """
                    {"space": {"num_workers": [0, 2], "batch_size": [16]}, "budget": {"seconds": 200}}""");

            TrialFailure failure = Objects.requireNonNull(study.report().failure());
            assertThat(study.report().state()).isEqualTo(StudyState.FAILED);
            assertThat(study.records()).isEmpty();
            assertThat(failure.message())
                    .startsWith(what.equals("none") ? "sample 11 is None, but sample " : "sample 11 (wild_data.py:");
            assertThat(failure.reason())
                    .isEqualTo(what.equals("none") ? FailureReason.COLLATE_ERROR : FailureReason.DATASET_ERROR);
            assertThat((String) failure.details().get("frame"))
                    .endsWith(what.equals("none") ? "in __getitem__" : "in truncated_image");
        }
    }

    @Test
    void an_exception_with_two_arguments() throws Exception {
        // Found by no check: the first 8 of 512 samples are others.
        WildStudy study = study("uneven", Map.of("what", "two_arguments", "samples", 512), NONE_OR_TWO);

        assertThat(study.report().state()).isEqualTo(StudyState.FAILED);
        for (TrialRecord trial : study.records()) {
            TrialFailure failure = Objects.requireNonNull(trial.failure()).failure();
            assertThat(failure.reason()).isEqualTo(FailureReason.DATASET_ERROR);
            assertThat(failure.details())
                    .containsEntry("exception", "wild_data.OddError")
                    .containsEntry("index", 11);
            assertThat(failure.message()).endsWith("wild_data.OddError: sample 11 cannot be used");
            assertThat((String) failure.details().get("traceback")).contains("raise OddError(\"sample\", index)");
        }
        assertThat(study.records()).isNotEmpty();
    }

    @Test
    void too_little_data_for_a_batch() throws Exception {
        for (int samples : new int[] {0, 32}) {
            StudyReport report = study("few", Map.of("samples", samples), """
                    {"space": {"batch_size": [64]}, "budget": {"seconds": 200}}""").report();

            TrialFailure failure = Objects.requireNonNull(report.failure());
            assertThat(report.state()).isEqualTo(StudyState.FAILED);
            assertThat(failure.reason()).isEqualTo(FailureReason.DATASET_ERROR);
            assertThat(failure.message()).contains(samples + " samples", "64");
            assertThat(failure.details()).containsEntry("length", samples).containsEntry("batch_size", 64);
        }
    }

    static WildStudy study(String factory, Map<String, Object> arguments, String request) throws Exception {
        WildStudy study = WildStudy.unhurried("wild_data:" + factory, arguments, request);
        assertThat(study.left()).isEmpty();
        return study;
    }

    static TrialFailure failure(WildStudy study, int workers) {
        FailureRecord failure = study.trialWith(workers).failure();
        assertThat(failure).as("%s", study.trialWith(workers)).isNotNull();
        return Objects.requireNonNull(failure).failure();
    }

    static int winnersWorkers(WildStudy study) {
        return Objects.requireNonNull(study.report().recommendation()).config().numWorkers();
    }

    static void assertZeroWorkersWereMeasured(WildStudy study) {
        assertThat(study.report().state()).as("%s", study.report().failure()).isEqualTo(StudyState.COMPLETED);
        assertThat(study.trialWith(0).state()).isEqualTo(TrialState.COMPLETE);
        assertThat(study.trialWith(0).rounds()).isNotEmpty();
    }
}
