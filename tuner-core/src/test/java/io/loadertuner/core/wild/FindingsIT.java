package io.loadertuner.core.wild;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.loadertuner.core.diagnosis.Epoch;
import io.loadertuner.core.diagnosis.Finding;
import io.loadertuner.core.diagnosis.Finding.Severity;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.Symptoms.Waits;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.measure.MeasuredWindow;
import io.loadertuner.core.study.Ask;
import io.loadertuner.core.study.Conclusion.StoppedBy;
import io.loadertuner.core.study.Recommendation.Kind;
import io.loadertuner.core.tuning.RoundRecord;
import io.loadertuner.core.tuning.StudyReport.Recommended;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.core.tuning.TrialRecord;
import io.loadertuner.core.tuning.TrialReport;
import io.loadertuner.core.tuning.TuningListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Datasets with habits that no failure tells of: the study says so. */
@Execution(ExecutionMode.CONCURRENT)
class FindingsIT {
    /** With 600 s it is settled after three rounds, for which a quarter is time enough on a busy machine too. */
    private static final String TWO_WORKERS_ALONE = """
            {"space": {"num_workers": [2], "prefetch_factor": [2]}, "baseline": {"num_workers": 2, "batch_size": %d},
             "budget": {"seconds": %d}}""";

    /** Half of its cores are others' to use: no round is measured again for what they do. */
    private static final Machine SHARED = new Machine("host", "cpu", 2, 1.0, 1L << 34, 1L << 33, 1L << 33, List.of());

    @TempDir
    Path folder;

    @Test
    void one_slow_sample_blocks_finished_batches() throws Exception {
        // Of 160 samples one takes a second, the others 0.4 s in two workers: every window of a second holds it.
        WildStudy study = study(
                "sleeping",
                Map.of("samples", 160, "milliseconds", 5, "slow", 8, "slow_milliseconds", 1000),
                TWO_WORKERS_ALONE.formatted(4, 600));

        Waits waits = Objects.requireNonNull(study.withWorkers(2).waits());
        assertThat(waits.p95Seconds()).isBetween(waits.p50Seconds(), waits.maxSeconds());
        assertThat(waits.maxSeconds()).isGreaterThan(Math.max(0.7, 3 * waits.p50Seconds()));
        Finding finding = finding(study, "slow_sample").orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.ADVICE);
        assertThat(finding.evidence()).contains("median 0.0", "95th percentile", "longest");
        assertThat(finding.remedy().contains("in_order=False"))
                .isEqualTo(runtime(study).inOrderAvailable());
    }

    @Test
    void a_dataset_pickled_to_each_worker() throws Exception {
        WildStudy study = study("strings", Map.of("count", 1_000_000, "characters", 20), """
                {"space": {"num_workers": [1], "prefetch_factor": [2], "multiprocessing_context": "spawn"},
                 "baseline": {"num_workers": 1, "batch_size": 64}, "budget": {"seconds": 10}}""");

        TrialReport trial = study.withWorkers(1);
        // Twenty characters and a few bytes of pickle for each of a million strings.
        assertThat(trial.pickledBytes()).isBetween(20_000_000L, 30_000_000L);
        assertThat(trial.startupSeconds()).isPositive();
        Finding finding = finding(study, "pickled_dataset").orElseThrow();
        assertThat(finding.evidence())
                .contains("spawn", "MiB are pickled to each of 1", "the throughput does not show that");
        assertThat(finding.remedy()).contains("NumPy arrays");
    }

    @Test
    void memory_that_grows_by_copying_on_write() throws Exception {
        WildStudy study =
                study("strings", Map.of("count", 200_000, "characters", 500), TWO_WORKERS_ALONE.formatted(64, 10));

        Finding finding = finding(study, "copy_on_write").orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.evidence())
                .contains("each of 2 workers copied", "MiB per batch", "by the end of an epoch all workers together");
        assertThat(finding.remedy()).contains("NumPy arrays");
    }

    @Test
    void random_numbers_repeated_across_workers() throws Exception {
        WildStudy copied = study("augmented", Map.of("kind", "made in init"), TWO_WORKERS_ALONE.formatted(8, 10));
        WildStudy seeded = study("augmented", Map.of("kind", "numpy"), TWO_WORKERS_ALONE.formatted(8, 10));

        Finding finding = finding(copied, "repeated_random_numbers").orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.ADVICE);
        assertThat(finding.remedy()).contains("worker_init_fn");
        assertThat(finding(seeded, "repeated_random_numbers")).isEmpty();
    }

    @Test
    void an_import_narrows_the_affinity() throws Exception {
        WildStudy study = study("narrowed", Map.of(), TWO_WORKERS_ALONE.formatted(8, 10));

        int before = runtime(study).usableCpusBefore();
        assumeTrue(before > 1, "nothing can be taken away from one CPU");
        assertThat(runtime(study).usableCpusAfter()).isEqualTo(1);
        Finding finding = finding(study, "narrowed_affinity").orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.evidence()).contains(before + " CPUs at its start and 1 once", "a worker may use 1");
        assertThat(finding.remedy()).contains("os.sched_setaffinity");
    }

    @Test
    void threads_times_processes() throws Exception {
        WildStudy study = study("threaded", Map.of("threads", 512), TWO_WORKERS_ALONE.formatted(8, 10));

        assertThat(runtime(study).torchThreads()).isPositive();
        Finding finding = finding(study, "threads_times_processes").orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.ADVICE);
        assertThat(finding.evidence()).contains("2 workers with 512 threads of torch each are 1024");
        assertThat(finding.remedy()).contains("nothing was changed here");
        assertThat(recommended(study).config().numWorkers()).isEqualTo(2);
    }

    @Test
    void a_cold_first_pass() throws Exception {
        // Every sample waits 10 ms when it is read first, 1 ms later; the first round reads about 260 of the 280.
        WildStudy study = WildStudy.of(
                "wild_findings:cold",
                Map.of(
                        "path",
                        folder.resolve("read").toString(),
                        "samples",
                        280,
                        "cold_milliseconds",
                        10,
                        "warm_milliseconds",
                        1),
                """
                {"space": {"num_workers": [0]}, "baseline": {"batch_size": 8}, "budget": {"seconds": 600}}""",
                () -> SHARED);

        List<RoundRecord> rounds = study.trialWith(0).rounds();
        // The check has read ten of them: with those, a second holds 99 that take 10 ms and 10 that take 1 ms, 109.
        double cold = rounds.get(0).samplesPerSecond();
        assertThat(cold).isPositive().isLessThan(110);
        assertThat(rounds.get(rounds.size() - 1).samplesPerSecond()).isGreaterThan(2 * cold);
        Finding finding = finding(study, "cold_first_pass").orElseThrow();
        assertThat(finding.evidence())
                .contains("cold, in the study's first round, it was " + Math.round(cold) + " samples/s; warm, in");
        assertThat(finding.remedy()).contains("page cache");
    }

    @Test
    @Tag("rates")
    void a_pause_at_every_epoch_start() throws Exception {
        // Four workers read 3,200 samples of 5 ms in 4 s, after a pause of 0.4 s.
        WildStudy study =
                unhurried("pausing", Map.of("samples", 3200, "pause_milliseconds", 400, "milliseconds", 5), """
                {"space": {"num_workers": [1, 4], "prefetch_factor": [2]}, "budget": {"seconds": 200},
                 "baseline": {"num_workers": 1, "batch_size": 8}}""");

        TrialReport trial = study.withWorkers(4);
        double steady = Objects.requireNonNull(trial.throughput()).samplesPerSecond();
        // Never more than four samples in 5 ms: the pause is in no window, but in the start and in the gap.
        assertThat(steady).isPositive().isLessThan(801);
        assertThat(study.trialWith(4).rounds())
                .allMatch(round -> round.measurement().window().last() < 3200 / 8, "within one epoch");
        assertThat(trial.firstBatchSeconds()).isGreaterThan(0.4);
        // More than the pause, less than the pass itself.
        assertThat(trial.epochGapSeconds()).isBetween(0.4, 4.0);
        Epoch epoch = Objects.requireNonNull(recommended(study).epoch());
        assertThat(epoch.samples()).isEqualTo(3200);
        assertThat(epoch.gapSeconds()).isEqualTo(trial.epochGapSeconds());
        assertThat(epoch.samplesPerSecond()).isCloseTo(3200 / (epoch.gapSeconds() + (3200 - 8) / steady), within(1e-6));
        assertThat(finding(study, "epoch_gap").orElseThrow().remedy()).contains("__iter__");
    }

    @Test
    void batches_in_bursts_of_workers() throws Exception {
        // Four workers take 0.2 s for a batch of 4, and deliver together.
        WildStudy study = unhurried("sleeping", Map.of("milliseconds", 50), """
                {"space": {"num_workers": [4], "prefetch_factor": [2]}, "budget": {"seconds": 200},
                 "baseline": {"num_workers": 4, "batch_size": 4}}""");

        List<RoundRecord> rounds = study.trialWith(4).rounds();
        assertThat(rounds).isNotEmpty();
        for (RoundRecord round : rounds) {
            MeasuredWindow window = round.measurement().window();
            assertThat(window.first())
                    .isPositive()
                    .satisfies(first -> assertThat(first % 4).isZero());
            assertThat(window.isAlignedTo(4)).isTrue();
            // With a queued burst in it, 16 samples more would lie in the same time: 96 a second and not 80.
            assertThat(round.samplesPerSecond()).isPositive().isLessThan(84);
        }
        assertThat(finding(study, "slow_sample")).isEmpty();
    }

    @Test
    void a_measurement_that_never_settles() throws Exception {
        Path speed = folder.resolve("seconds");
        Files.writeString(speed, "0.04");
        WildStudy study = completed(WildStudy.unhurried(
                "wild_findings:as_fast_as", Map.of("path", speed.toString()), """
                {"space": {"num_workers": [1, 2], "prefetch_factor": [2]}, "budget": {"seconds": 400},
                 "baseline": {"num_workers": 1, "batch_size": 8}}""", new TenfoldEachRound(speed)));

        TrialRecord baseline = study.trialWith(1);
        assertThat(study.withWorkers(1).unstable()).isTrue();
        assertThat(baseline.rounds()).hasSizeGreaterThan(1);
        assertThat(study.report().stoppedBy()).isNotEqualTo(StoppedBy.TIME);
        assertThat(recommended(study).kind()).isEqualTo(Kind.KEPT);
        assertThat(recommended(study).trial()).isEqualTo(baseline.number());
        assertThat(study.report().tieSet()).hasSize(2);
    }

    /** Makes every other round, of all that are paired in it, ten times as fast as the one before. */
    private record TenfoldEachRound(Path speed) implements TuningListener {
        @Override
        public void roundBegun(int trial, Ask ask) {
            try {
                Files.writeString(speed, ask.round() % 2 == 1 ? "0.04" : "0.004");
            } catch (IOException unwritable) {
                throw new UncheckedIOException(unwritable);
            }
        }
    }

    private WildStudy study(String function, Map<String, Object> arguments, String request) throws Exception {
        return completed(WildStudy.of("wild_findings:" + function, arguments, request));
    }

    private static WildStudy unhurried(String function, Map<String, Object> arguments, String request)
            throws Exception {
        return completed(WildStudy.unhurried("wild_findings:" + function, arguments, request));
    }

    private static WildStudy completed(WildStudy study) {
        assertThat(study.report().state()).as("%s", study.report().failure()).isEqualTo(StudyState.COMPLETED);
        assertThat(study.left()).isEmpty();
        return study;
    }

    private static Optional<Finding> finding(WildStudy study, String code) {
        return study.report().findings().stream()
                .filter(finding -> finding.code().equals(code))
                .findFirst();
    }

    private static LoaderFacts.ProcessFacts runtime(WildStudy study) {
        return Objects.requireNonNull(
                Objects.requireNonNull(study.report().facts()).runtime());
    }

    private static Recommended recommended(WildStudy study) {
        return Objects.requireNonNull(study.report().recommendation());
    }
}
