package io.loadertuner.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.Symptoms;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.measure.MeasuredWindow;
import io.loadertuner.core.replay.RecordedNoise;
import io.loadertuner.core.replay.RecordedSurface;
import io.loadertuner.core.replay.ReplayedMachine;
import io.loadertuner.core.replay.ReplayedStudy;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Budget;
import io.loadertuner.core.study.CostOrder;
import io.loadertuner.core.study.GuardedSearch;
import io.loadertuner.core.study.Phase;
import io.loadertuner.core.study.Recommendation;
import io.loadertuner.core.study.Recommendation.Kind;
import io.loadertuner.core.study.SearchSettings;
import io.loadertuner.core.study.sampler.SamplerKind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked // an unexpected null fails the test where it is met
class StudySurfaceTest extends FormulaStudies {
    private static final TrialFailure CRASH = TrialFailure.of(FailureReason.WORKER_CRASHED, "killed");

    @Test
    void a_line_has_the_rate_its_noise_and_its_cost() {
        LoaderConfig config = LoaderConfig.of(2, 4, true, 64, true, null);
        TrialRecord trial = new TrialRecord(
                1,
                config,
                0,
                List.of(
                        round(Phase.BASELINE, 1, 100),
                        round(Phase.LOADER_ALONE, 1, 400),
                        round(Phase.BASELINE, 2, 121),
                        round(Phase.CONFIRM, 1, 110)),
                null);

        Map<String, String> line = lines("my photos", List.of(trial)).get(0);

        assertThat(line)
                .containsEntry("dataset", "my_photos")
                .containsEntry("num_workers", "2")
                .containsEntry("prefetch_factor", "4")
                .containsEntry("batch_size", "64")
                .containsEntry("pin_memory", "true")
                .containsEntry("loader_alone_samples_per_second", "400.0")
                .containsEntry("rounds", "3")
                .containsEntry("failure", "");
        assertThat(number(line, "samples_per_second")).isCloseTo(110, within(1e-9));
        // Their logarithms lie ln 1.1 apart.
        assertThat(number(line, "log_rate_deviation")).isCloseTo(Math.log(1.1), within(1e-9));
        // Start-up 0.3 s, first batch 0.2 s, shutdown 0.1 s.
        assertThat(number(line, "trial_overhead_seconds")).isCloseTo(0.6, within(1e-9));
    }

    @Test
    void a_failure_is_exported_with_what_was_measured_before_and_an_open_trial_is_not() {
        LoaderConfig none = LoaderConfig.of(0, 2, false, 8, true, null);
        LoaderConfig one = LoaderConfig.of(1, 2, false, 8, true, null);
        LoaderConfig two = LoaderConfig.of(2, 2, false, 8, true, null);
        FailureRecord failure = new FailureRecord(Phase.WORKERS, 1, CRASH, 3, 20);
        List<TrialRecord> trials = List.of(
                new TrialRecord(1, none, 0, List.of(round(Phase.WORKERS, 1, 80)), failure),
                new TrialRecord(2, one, 0, List.of(), failure),
                new TrialRecord(3, two, 1, List.of(), null));

        List<Map<String, String>> lines = lines("a", trials);

        assertThat(lines).hasSize(2).allSatisfy(line -> assertThat(line).containsEntry("failure", "worker_crashed"));
        assertThat(number(lines.get(0), "samples_per_second")).isCloseTo(80, within(1e-9));
        assertThat(lines.get(1)).containsEntry("samples_per_second", "").containsEntry("rounds", "0");
        RecordedSurface surface = RecordedSurface.read(
                StudySurface.csv("a", Optional.empty(), trials).lines().toList(), "a");
        assertThat(surface.failure(none)).hasValue("worker_crashed");
        assertThat(surface.failure(one)).hasValue("worker_crashed");
        assertThat(surface.failure(two)).hasValue(RecordedSurface.NOT_RECORDED);
        assertThat(surface.recordedNoise(none)).as("a single round").isEmpty();
    }

    @Test
    void a_study_that_came_to_nothing_has_no_lines() throws Exception {
        loader.failureOfCheck = TrialFailure.of(FailureReason.DATASET_ERROR, "broken");

        tuner.run(ID, request(), journal, TuningListener.NONE);

        assertThat(StudySurface.csv("a", journal.preparation(), journal.trials())
                        .lines())
                .hasSize(1);
    }

    @Test
    void a_cancelled_study_has_the_lines_of_what_it_measured() {
        TuningListener cancelling = new TuningListener() {
            @Override
            public void roundEnded(TrialReport trial, StudyReport study) {
                if (study.progress().trials() >= 3) {
                    Thread.currentThread().interrupt();
                }
            }
        };

        assertThatThrownBy(() -> tuner.run(ID, request(), journal, cancelling))
                .isInstanceOf(InterruptedException.class);

        RecordedSurface surface = RecordedSurface.read(
                StudySurface.csv("a", journal.preparation(), journal.trials())
                        .lines()
                        .toList(),
                "a");
        assertThat(surface.space().numWorkers()).hasSize(3).contains(0);
        assertThat(surface.samplesPerSecond(LoaderConfig.of(0, 2, false, 32, true, null)))
                .isCloseTo(100, within(1e-9));
    }

    /** Rates go up and down by a twentieth and three workers crash: a replay of what was recorded finds the same. */
    @Test
    void a_finished_study_can_be_replayed_from_its_surface() throws Exception {
        int[] calls = {0};
        CalculatedLoader wavering = new CalculatedLoader(
                config -> 1000.0 * Math.max(1, config.numWorkers()) * (calls[0]++ % 2 == 0 ? 1.05 : 1 / 1.05));
        wavering.failures.put(LoaderConfig.of(3, 2, false, 32, true, null), CRASH);
        StudyReport study =
                new Tuner(wavering, () -> MACHINE, wavering).run(ID, request(), journal, TuningListener.NONE);

        RecordedSurface surface = RecordedSurface.read(
                StudySurface.csv("numbers", journal.preparation(), journal.trials())
                        .lines()
                        .toList(),
                "numbers");

        for (TrialRecord trial : journal.trials()) {
            LoaderConfig config = trial.config();
            if (trial.failure() != null) {
                assertThat(surface.failure(config)).hasValue("worker_crashed");
                continue;
            }
            double[] logs = trial.rounds().stream()
                    .mapToDouble(round -> Math.log(round.samplesPerSecond()))
                    .toArray();
            assertThat(surface.samplesPerSecond(config))
                    .isEqualTo(trial.throughput().orElseThrow().samplesPerSecond());
            Optional<RecordedNoise> noise = surface.recordedNoise(config);
            assertThat(noise.isPresent()).isEqualTo(logs.length > 1);
            noise.ifPresent(recorded -> {
                assertThat(recorded.rounds()).isEqualTo(logs.length);
                assertThat(recorded.logRateDeviation()).isCloseTo(deviation(logs), within(1e-12));
            });
        }
        assertThat(journal.trials()).hasSize(5);
        SearchSettings settings = new SearchSettings(
                surface.space(),
                study.baseline().config(),
                2,
                OptionalDouble.empty(),
                0,
                config -> Optional.empty(),
                Budget.DEFAULT,
                1,
                List.of(),
                CostOrder.USUAL);
        for (SamplerKind kind : SamplerKind.values()) {
            ReplayedStudy replayed = ReplayedStudy.run(
                    new GuardedSearch(settings, kind.create()), ReplayedMachine.asRecorded(surface, 1));

            Recommendation found = replayed.conclusion().recommendation();
            assertThat(found.kind()).isEqualTo(Kind.FASTER);
            assertThat(found.config()).isEqualTo(study.recommendation().config());
            assertThat(found.config().numWorkers()).isEqualTo(4);
            assertThat(replayed.history())
                    .filteredOn(seen -> seen.failure() != null)
                    .allMatch(seen -> seen.ask().config().numWorkers() == 3);
        }
    }

    private static double deviation(double[] values) {
        double mean = Arrays.stream(values).average().orElseThrow();
        double squares =
                Arrays.stream(values).map(value -> Math.pow(value - mean, 2)).sum();
        return Math.sqrt(squares / (values.length - 1));
    }

    private static double number(Map<String, String> line, String column) {
        return Double.parseDouble(line.get(column));
    }

    private static List<Map<String, String>> lines(String dataset, List<TrialRecord> trials) {
        List<String> csv =
                StudySurface.csv(dataset, Optional.empty(), trials).lines().toList();
        String[] columns = csv.get(0).split(",", -1);
        return csv.stream()
                .skip(1)
                .map(line -> {
                    String[] cells = line.split(",", -1);
                    assertThat(cells).hasSameSizeAs(columns);
                    Map<String, String> named = new HashMap<>();
                    for (int cell = 0; cell < cells.length; cell++) {
                        named.put(columns[cell], cells[cell]);
                    }
                    return named;
                })
                .toList();
    }

    private static RoundRecord round(Phase phase, int round, double rate) {
        RoundMeasurement measurement = new RoundMeasurement(
                0.3,
                0.2,
                0.1,
                0.5,
                null,
                null,
                null,
                null,
                null,
                1.0,
                0.0,
                "fork",
                null,
                new MeasuredWindow(0, 1, Math.round(rate), 1),
                List.of(),
                Symptoms.NONE);
        return new RoundRecord(phase, round, rate, 0, false, 2, 10, measurement, null);
    }
}
