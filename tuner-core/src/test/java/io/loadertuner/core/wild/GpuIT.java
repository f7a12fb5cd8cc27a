package io.loadertuner.core.wild;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.dataset.TrainingStep;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.pytorch.MarkedProcesses;
import io.loadertuner.core.measure.RoundPlan;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.TrialState;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.core.tuning.TrialRecord;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens only where there is a GPU. */
class GpuIT {
    private static final long MIB = 1L << 20;
    private static final LoaderConfig PINNED = LoaderConfig.of(1, 2, true, 1, true, null);
    private static final RoundPlan SHORT = new RoundPlan(1, 0, 0.5, 1, 2, 10);

    @BeforeEach
    void onlyWithAGpu() throws Exception {
        TorchGpu.assume();
    }

    @Test
    void pinning_no_faster() throws Exception {
        WildStudy study = WildStudy.of(
                "wild_gpu:waiting",
                Map.of(),
                "{\"space\": {\"num_workers\": [1], \"prefetch_factor\": [2], \"batch_size\": [4],"
                        + " \"pin_memory\": [false, true]}, \"budget\": {\"seconds\": 60}}");
        StudyReport report = study.report();

        assertThat(report.state()).isEqualTo(StudyState.COMPLETED);
        assertThat(study.records())
                .filteredOn(trial -> trial.config().numWorkers() == 1)
                .extracting(trial -> trial.config().pinMemory())
                .contains(false, true);
        // The rate is that of a sleep: pinned or not, it is the same.
        assertThat(Objects.requireNonNull(report.recommendation()).config().pinMemory())
                .isFalse();
    }

    @Test
    void pinned_memory_rounds_up() throws Exception {
        try (LoaderSession session = open("wild_gpu:large", Map.of("mebibytes", 130), null, 1)) {
            session.check(1);
            RoundMeasurement round = session.measure(PINNED, SHORT, false).measurement();

            Long pinned = round.pinnedMemoryBytes();
            // Null where this torch does not tell; else what was taken, which is no less than what was asked for.
            if (pinned != null) {
                assertThat(pinned).isGreaterThanOrEqualTo(130 * MIB);
            }
            assertThat(round.gpuMemoryBytes()).isGreaterThanOrEqualTo(130 * MIB);
        }
    }

    @Test
    void samples_already_on_the_gpu() throws Exception {
        WildStudy study = WildStudy.of(
                "wild_gpu:on_gpu",
                Map.of(),
                "{\"space\": {\"num_workers\": [0, 2], \"batch_size\": [4], \"pin_memory\": [false, true]},"
                        + " \"budget\": {\"seconds\": 20}}");
        StudyReport report = study.report();

        assertThat(Objects.requireNonNull(report.facts()).samplesOnGpu()).isTrue();
        assertThat(study.trialWith(0).state()).isEqualTo(TrialState.COMPLETE);
        assertThat(study.records())
                .extracting(TrialRecord::config)
                .allMatch(config -> config.numWorkers() == 0 && !config.pinMemory());
        assertThat(report.skipped()).isNotEmpty().allMatch(skip -> skip.reason().startsWith("samples lie on the GPU"));
    }

    @Test
    void cuda_used_before_fork() throws Exception {
        WildStudy study = WildStudy.of(
                "wild_gpu:table_on_gpu",
                Map.of(),
                "{\"space\": {\"num_workers\": [0, 2], \"batch_size\": [4]}, \"budget\": {\"seconds\": 20}}");
        StudyReport report = study.report();

        assertThat(Objects.requireNonNull(report.facts()).datasetInitialisedCuda())
                .isTrue();
        assertThat(study.trialWith(0).state()).isEqualTo(TrialState.COMPLETE);
        assertThat(report.skipped())
                .isNotEmpty()
                .allMatch(skip -> skip.reason().startsWith("building the dataset made a CUDA context"));
    }

    @Test
    void timing_without_synchronising() throws Exception {
        // The step returns at once; the device is busy with it for 20 ms.
        try (LoaderSession session = open("wild_gpu:small", Map.of(), new TrainingStep(20.0, null, null), 1)) {
            session.check(1);
            RoundMeasurement round = session.measure(LoaderConfig.of(0, 2, false, 1, false, null), SHORT, true)
                    .measurement();

            assertThat(round.window().samplesPerSecond()).isBetween(25.0, 55.0);
        }
    }

    @Test
    void ranks_open_contexts_on_gpu_0() throws Exception {
        MarkedProcesses processes = new MarkedProcesses();
        try (LoaderSession session =
                WildStudy.loader(processes).open(descriptor("wild_gpu:small", Map.of(), null, 2), 7)) {
            session.check(1);
            session.measure(PINNED, SHORT, false);

            Map<String, TreeSet<String>> gpusOfProcess = new TreeMap<>();
            List<String> own = processes.alive().stream()
                    .map(process -> String.valueOf(process.pid()))
                    .toList();
            for (String line : TorchGpu.contexts().lines().toList()) {
                String[] words = line.split(", ", -1);
                if (own.contains(words[0])) {
                    gpusOfProcess
                            .computeIfAbsent(words[0], any -> new TreeSet<>())
                            .add(words[1]);
                }
            }
            assertThat(gpusOfProcess.values()).allMatch(gpus -> gpus.size() == 1);
            assertThat(gpusOfProcess.values().stream().flatMap(TreeSet::stream).distinct())
                    .hasSize(Math.min(2, TorchGpu.count()));
        }
    }

    private static LoaderSession open(
            String factory, Map<String, Object> arguments, @Nullable TrainingStep step, int ranks) throws Exception {
        return WildStudy.loader(new MarkedProcesses()).open(descriptor(factory, arguments, step, ranks), 7);
    }

    private static DatasetDescriptor descriptor(
            String factory, Map<String, Object> arguments, @Nullable TrainingStep step, int ranks) {
        return new DatasetDescriptor(
                "gpu", "", DatasetDescriptor.PYTORCH, WildStudy.source(factory, arguments), step, ranks);
    }
}
