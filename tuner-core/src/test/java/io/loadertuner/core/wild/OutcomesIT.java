package io.loadertuner.core.wild;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Conclusion.StoppedBy;
import io.loadertuner.core.study.Skip;
import io.loadertuner.core.study.TrialState;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.core.tuning.TrialReport;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a study makes of what its trials show. Each test bears the name of a row of {@code docs/wild-cases.md}. */
@Execution(ExecutionMode.CONCURRENT)
class OutcomesIT {
    private static final long MIB = 1 << 20;

    @Test
    void prefetching_takes_memory() throws Exception {
        WildStudy study = WildStudy.run("""
                {"name": "prefetching", "source": {"kind": "python", "factory": "wild_outcomes:large"},
                 "space": {"num_workers": [0, 2], "prefetch_factor": [2, 16], "batch_size": [8]},
                 "constraints": {"max_host_memory_bytes": 104857600}, "sampler": "grid",
                 "baseline": {"num_workers": 2, "batch_size": 8}, "budget": {"seconds": 15}}""");

        // A batch of 8 MiB; 2 workers × prefetch 2 hold 4 of them, 2 workers × prefetch 16 hold 32, and one is read.
        TrialReport shallow = study.withWorkers(2);
        assertThat(shallow.config().prefetchFactor()).isEqualTo(2);
        assertThat(shallow.predictedSharedMemoryBytes()).isEqualTo(32 * MIB);
        assertThat(shallow.sharedMemoryBytes()).isBetween(24 * MIB, 48 * MIB);
        assertThat(shallow.predictedMemoryBytes()).isGreaterThan(40 * MIB + 50 * MIB);
        assertThat(shallow.peakMemoryBytes()).isGreaterThan(32 * MIB);
        assertThat(study.report().state()).isEqualTo(StudyState.COMPLETED);
        assertThat(study.report().skipped())
                .contains(new Skip(
                        LoaderConfig.of(2, 16, false, 8, true, null),
                        "batches in flight would take 264 MiB, more than max_host_memory_bytes: 100 MiB"));
    }

    @Test
    void pinning_without_a_gpu() throws Exception {
        WildStudy study = WildStudy.run("""
                {"name": "pinning", "source": {"kind": "python", "factory": "wild_outcomes:plain"},
                 "space": {"num_workers": [0, 1], "prefetch_factor": [2], "pin_memory": [false, true],
                           "batch_size": [8]}, "budget": {"seconds": 15}}""");
        assumeTrue("cpu".equals(study.report().device()), "there is a GPU");

        assertThat(study.report().state()).isEqualTo(StudyState.COMPLETED);
        assertThat(study.trials())
                .isNotEmpty()
                .noneMatch(trial -> trial.config().pinMemory());
        assertThat(study.report().notes())
                .anyMatch(note -> note.contains("pinning has no effect and pin_memory was not varied"));
    }

    @Test
    void only_measured_configs_are_returned() throws Exception {
        WildStudy study = WildStudy.run("""
                {"name": "measured", "source": {"kind": "python", "factory": "wild_outcomes:plain"},
                 "space": {"num_workers": [0, 1, 2], "prefetch_factor": [2], "batch_size": [8, 16]},
                 "budget": {"seconds": 10, "trials": 4}}""");

        StudyReport.Recommended recommended =
                Objects.requireNonNull(study.report().recommendation());
        TrialReport trial = study.trials().get(recommended.trial() - 1);
        assertThat(trial.number()).isEqualTo(recommended.trial());
        assertThat(trial.config()).isEqualTo(recommended.config());
        assertThat(trial.state()).isEqualTo(TrialState.COMPLETE);
        assertThat(trial.throughput()).isEqualTo(recommended.throughput());
        assertThat(study.trials()).hasSizeLessThanOrEqualTo(4);
        assertThat(study.report().tieSet()).contains(recommended.trial());
    }

    @Test
    void every_trial_failed() throws Exception {
        WildStudy study = WildStudy.run("""
                {"name": "broken", "source": {"kind": "python", "factory": "wild_outcomes:broken"},
                 "space": {"num_workers": [0, 1, 2, 3, 4], "prefetch_factor": [2], "batch_size": [8]},
                 "budget": {"seconds": 120}}""");

        assertThat(study.report().state()).isEqualTo(StudyState.FAILED);
        assertThat(study.report().stoppedBy()).isEqualTo(StoppedBy.FAILURES);
        assertThat(study.report().recommendation()).isNull();
        assertThat(study.trials()).hasSize(3).allSatisfy(trial -> {
            assertThat(Objects.requireNonNull(trial.failure()).reason()).isEqualTo(FailureReason.DATASET_ERROR);
            assertThat(trial.throughput()).isNull();
        });
        var failure = Objects.requireNonNull(study.report().failure());
        assertThat(failure.reason()).isEqualTo(FailureReason.DATASET_ERROR);
        assertThat(failure.message())
                .startsWith("all 3 trials failed in the same way: ")
                .contains("ValueError")
                .contains("is broken");
        assertThat(failure.details().get("failures"))
                .asInstanceOf(InstanceOfAssertFactories.list(Map.class))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.get("count")).isEqualTo(3);
                    assertThat(row.get("trials")).isEqualTo(List.of(1, 2, 3));
                    assertThat(row.get("frame")).asString().contains("wild_outcomes.py");
                });
    }

    @Test
    void the_first_two_failures() throws Exception {
        WildStudy study = WildStudy.run("""
                {"name": "first-two",
                 "source": {"kind": "python", "factory": "wild_outcomes:choosy", "arguments": {"failing": [1, 2]}},
                 "space": {"num_workers": [0, 1, 2], "prefetch_factor": [2]},
                 "baseline": {"num_workers": 1, "batch_size": 8}, "budget": {"seconds": 120}}""");

        assertThat(study.trials().get(0).config().numWorkers()).isEqualTo(1);
        assertThat(List.of(study.withWorkers(1), study.withWorkers(2))).allSatisfy(trial -> {
            assertThat(trial.state()).isEqualTo(TrialState.FAILED);
            assertThat(Objects.requireNonNull(trial.failure()).message()).contains("too many for this storage");
        });
        assertThat(study.report().state()).isEqualTo(StudyState.COMPLETED);
        assertThat(Objects.requireNonNull(study.report().recommendation()).config())
                .isEqualTo(LoaderConfig.of(0, 2, false, 8, true, null));
    }
}
