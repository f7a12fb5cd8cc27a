package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.tuning.TrialReport;
import io.loadertuner.service.store.JsonText;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrialsCsvTest {
    private static final String HEADER =
            "number,state,num_workers,prefetch_factor,pin_memory,batch_size,persistent_workers,non_blocking,"
                    + "multiprocessing_context,samples_per_second,low,high,rounds,unstable,startup_seconds,"
                    + "first_batch_seconds,epoch_gap_seconds,peak_memory_bytes,shared_memory_bytes,failure_reason,"
                    + "failure_message\n";

    @Test
    void aTrialIsALineAndWhatIsNotKnownIsEmpty() {
        TrialReport measured = JsonText.read("""
                {"number": 3, "state": "complete",
                 "config": {"num_workers": 2, "prefetch_factor": 4, "pin_memory": false, "batch_size": 64,
                            "persistent_workers": true, "non_blocking": false, "multiprocessing_context": null},
                 "throughput": {"samples_per_second": 951.7, "low": 872.0, "high": null, "rounds": 2},
                 "unstable": false, "startup_seconds": 0.41, "first_batch_seconds": 0.22, "epoch_gap_seconds": null,
                 "peak_memory_bytes": 734003200, "shared_memory_bytes": 0, "failure": null}""", TrialReport.class);

        assertThat(TrialsCsv.of(List.of(measured)))
                .isEqualTo(
                        HEADER + "3,complete,2,4,false,64,true,false,,951.7,872.0,,2,false,0.41,0.22,,734003200,0,,\n");
    }

    @Test
    void aMessageWithCommasQuotesAndLinesIsQuoted() {
        TrialReport failed = JsonText.read("""
                {"number": 1, "state": "failed",
                 "config": {"num_workers": 0, "prefetch_factor": null, "pin_memory": false, "batch_size": 8,
                            "persistent_workers": false, "non_blocking": false, "multiprocessing_context": null},
                 "failure": {"reason": "dataset_error", "message": "KeyError: \\"a\\", at\\nline 3", "advice": "",
                             "details": {}}}""", TrialReport.class);

        assertThat(TrialsCsv.of(List.of(failed)))
                .startsWith(HEADER + "1,failed,0,,false,8,false,false,")
                .endsWith(",dataset_error,\"KeyError: \"\"a\"\", at\nline 3\"\n");
    }

    @Test
    void withoutTrialsThereIsAHeader() {
        assertThat(TrialsCsv.of(List.of())).isEqualTo(HEADER);
    }
}
