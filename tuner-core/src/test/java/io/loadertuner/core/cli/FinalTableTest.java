package io.loadertuner.core.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.StudyState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FinalTableTest {

    @Test
    void a_study_in_which_everything_failed_has_a_line_for_each_way_of_failing() {
        StudyRequest request = TunerJson.mapper()
                .readValue(
                        "{\"name\": \"broken\", \"source\": {\"kind\": \"synthetic\", \"samples\": 10}}",
                        StudyRequest.class);
        TrialFailure failure = TrialFailure.of(
                FailureReason.DATASET_ERROR,
                "all 4 trials failed for 2 reasons, the first: ValueError: sample 7",
                Map.of(
                        "failures",
                        List.of(
                                row(
                                        "dataset_error",
                                        "ValueError: sample 7\nmore",
                                        "data.py:12 in read",
                                        3,
                                        List.of(1, 2, 4)),
                                row("timed_out", "nothing happened for 30.0 s", "", 1, List.of(3)))));

        String text =
                FinalTable.of(StudyReport.queued("id", request, null).ended(StudyState.FAILED, failure), List.of());

        assertThat(text.lines().toList())
                .endsWith(
                        "failed: dataset_error: all 4 trials failed for 2 reasons, the first: ValueError: sample 7",
                        "  " + FailureReason.DATASET_ERROR.advice(),
                        "trials  reason                    what was seen",
                        "     3  dataset_error             ValueError: sample 7 (data.py:12 in read): trials 1, 2, 4",
                        "     1  timed_out                 nothing happened for 30.0 s: trials 3");
    }

    private static Map<String, Object> row(
            String reason, String message, String frame, int count, List<Integer> trials) {
        return Map.of("reason", reason, "message", message, "frame", frame, "count", count, "trials", trials);
    }
}
