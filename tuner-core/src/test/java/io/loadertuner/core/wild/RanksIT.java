package io.loadertuner.core.wild;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.RankMeasurement;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.loader.pytorch.MarkedProcesses;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.TrialState;
import io.loadertuner.core.tuning.RankThroughput;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.core.tuning.TrialRecord;
import io.loadertuner.core.tuning.TrialReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Several training processes on one machine. */
@Execution(ExecutionMode.CONCURRENT)
class RanksIT {

    @Test
    void ranks_share_the_cores() throws Exception {
        WildStudy study = WildStudy.unhurried(
                "wild_ranks:by_rank",
                Map.of("milliseconds", List.of(5, 5)),
                "{\"ranks\": 2, \"space\": {\"num_workers\": [0, 4], \"batch_size\": [4]}, \"budget\": {\"seconds\":"
                        + " 200}}");

        assertThat(study.report().state()).isEqualTo(StudyState.COMPLETED);
        assertThat(study.report().notes()).anyMatch(note -> note.startsWith("2 ranks"));
        assertThat(study.left()).isEmpty();
        for (int workers : List.of(0, 4)) {
            TrialRecord trial = study.trialWith(workers);
            assertThat(trial.state()).isEqualTo(TrialState.COMPLETE);
            for (RoundMeasurement round :
                    trial.rounds().stream().map(each -> each.measurement()).toList()) {
                assertThat(round.ranks()).extracting(RankMeasurement::rank).containsExactly(0, 1);
                assertThat(round.ranks()).allMatch(rank -> rank.window().isAlignedTo(Math.max(1, workers)));
                // A rank without workers sleeps 5 ms a sample, with four at most four times as many are had.
                assertThat(round.ranks()).allMatch(rank -> rank.samplesPerSecond() <= 220 * Math.max(1, workers));
                assertThat(round.window().samplesPerSecond())
                        .isCloseTo(
                                round.ranks().stream()
                                        .mapToDouble(RankMeasurement::samplesPerSecond)
                                        .sum(),
                                within(1e-6));
                assertThat(Objects.requireNonNull(round.memoryBytes()))
                        .isEqualTo(round.ranks().stream()
                                .mapToLong(rank -> Objects.requireNonNull(rank.memoryBytes()))
                                .sum());
            }
            assertThat(TrialReport.of(trial, Optional.empty()).ranks())
                    .extracting(RankThroughput::rank)
                    .containsExactly(0, 1);
        }
    }

    @Test
    void theDeathOfOneRankEndsTheTrial() throws Exception {
        WildStudy study = WildStudy.unhurried(
                "wild_ranks:dying_in_rank_one",
                Map.of(),
                "{\"ranks\": 2, \"space\": {\"num_workers\": [0, 1], \"batch_size\": [4]}, \"budget\": {\"seconds\":"
                        + " 200}}");

        TrialFailure failure =
                Objects.requireNonNull(study.trialWith(1).failure()).failure();
        assertThat(failure.reason()).isEqualTo(FailureReason.WORKER_CRASHED);
        assertThat(failure.message()).startsWith("rank 1 of 2: ");
        assertThat(failure.details()).containsEntry("rank", 1).containsEntry("signal", "SIGKILL");
        assertThat(study.trialWith(0).state()).isEqualTo(TrialState.COMPLETE);
        assertThat(Objects.requireNonNull(study.report().recommendation())
                        .config()
                        .numWorkers())
                .isZero();
        assertThat(study.left()).isEmpty();
    }

    @Test
    void samplesOfOneRankAreComparedAndEveryRankHasItsLog() throws Exception {
        Source source = WildStudy.source("wild_ranks:stopping_in_workers", Map.of());
        DatasetDescriptor descriptor = new DatasetDescriptor("wild", "", DatasetDescriptor.PYTORCH, source, null, 2);
        MarkedProcesses processes = new MarkedProcesses();
        try (LoaderSession session = WildStudy.loader(processes).open(descriptor, 7)) {
            LoaderConfig config = LoaderConfig.of(2, 2, false, 8, true, null);

            TrialFailure failure = catchThrowableOfType(
                            TrialFailedException.class, () -> session.verify(config, Duration.ofSeconds(20)))
                    .failure();

            assertThat(failure.reason()).isEqualTo(FailureReason.WRONG_DATA);
            assertThat(failure.message()).startsWith("rank 0 of 2: 2 workers, ");
            // Its share of 64 samples is 32, in batches of 4.
            assertThat(failure.details()).containsEntry("rank", 0).containsEntry("expected_batches", 8);
            assertThat(session.takeLog().text())
                    .containsSubsequence("[rank 0 of 2]\n", "built by 0\n", "[rank 1 of 2]\n", "built by 1\n");
        }
        assertThat(processes.alive()).isEmpty();
    }

    @Test
    void unequal_batches_per_rank() throws Exception {
        WildStudy study = WildStudy.unhurried(
                "wild_ranks:unequal",
                Map.of("batches", List.of(3, 5)),
                "{\"ranks\": 2, \"step\": {\"milliseconds\": 2}, \"space\": {\"num_workers\": [0], \"batch_size\":"
                        + " [4]}, \"budget\": {\"seconds\": 200}}");

        assertThat(study.report().state()).isEqualTo(StudyState.COMPLETED);
        TrialRecord trial = study.trialWith(0);
        trial.rounds().stream()
                .filter(round -> round.withStep())
                .map(round -> round.measurement().ranks())
                .forEach(ranks -> {
                    // They step together, so both count the same batches.
                    assertThat(ranks.get(0).window().first())
                            .isEqualTo(ranks.get(1).window().first());
                    assertThat(ranks.get(0).window().last())
                            .isEqualTo(ranks.get(1).window().last());
                    assertThat(ranks)
                            .extracting(RankMeasurement::batchesPerPass)
                            .containsExactly(3L, 5L);
                });
        assertThat(study.report().findings()).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("unequal_batches_per_rank");
            assertThat(finding.evidence()).contains("3, 5 batches");
            assertThat(finding.remedy()).contains("the common minimum, 3 batches");
        });
        // 4 samples every 12 ms or more in each of two ranks.
        assertThat(trial.throughput().map(Throughput::samplesPerSecond).orElseThrow())
                .isPositive()
                .isLessThan(700);
        assertThat(study.left()).isEmpty();
    }

    @Test
    void set_epoch_never_called(@TempDir Path folder) throws Exception {
        Path notes = folder.resolve("epochs");
        WildStudy study = WildStudy.unhurried(
                "wild_ranks:own_sampler",
                Map.of("notes", notes.toString(), "samples", 64),
                "{\"space\": {\"num_workers\": [0], \"batch_size\": [8]}, \"budget\": {\"seconds\": 200}}");

        assertThat(study.report().state()).isEqualTo(StudyState.COMPLETED);
        assertThat(study.trialWith(0).state()).isEqualTo(TrialState.COMPLETE);
        assertThat(study.report().findings()).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("order_repeats");
            assertThat(finding.evidence()).startsWith("NotedSampler gave the same 64 indices");
            assertThat(finding.remedy()).contains("sampler.set_epoch(epoch)");
        });
        // A pass of 64 samples at 1 ms takes 64 ms; a window of a second has at least ten.
        assertThat(Files.readAllLines(notes)).contains("1", "2", "10");
        assertThat(study.left()).isEmpty();
    }
}
