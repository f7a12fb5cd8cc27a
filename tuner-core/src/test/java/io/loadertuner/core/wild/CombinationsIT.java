package io.loadertuner.core.wild;

import static io.loadertuner.core.wild.WrongDataIT.assertZeroWorkersWereMeasured;
import static io.loadertuner.core.wild.WrongDataIT.failure;
import static io.loadertuner.core.wild.WrongDataIT.study;
import static io.loadertuner.core.wild.WrongDataIT.winnersWorkers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.loadertuner.core.json.JsonFault;
import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.study.TrialState;
import io.loadertuner.core.tuning.RoundRecord;
import io.loadertuner.core.tuning.StudyReport.BestOfBatchSize;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.core.tuning.TrialRecord;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.core.JacksonException;

/** Settings that mean nothing together, loaders of the user's own, start methods. */
@Execution(ExecutionMode.CONCURRENT)
@NullUnmarked
class CombinationsIT {
    private static final String NONE_OR_TWO = """
            {"space": {"num_workers": [0, 2], "prefetch_factor": [2], "batch_size": [8]}, "budget": {"seconds": 200}}""";

    @Test
    void settings_of_workers_without_workers() throws Exception {
        WildStudy study = study("few", Map.of("samples", 64), """
                {"space": {"num_workers": [0], "prefetch_factor": [1, 2, 4, 8], "batch_size": [8],
                 "multiprocessing_context": "spawn"}, "budget": {"seconds": 200}}""");

        assertThat(study.records()).hasSize(1);
        assertThat(study.records().get(0).config().prefetchFactor()).isNull();
        assertThat(study.records().get(0).config().multiprocessingContext()).isNull();
        assertThat(refusal("\"baseline\": {\"num_workers\": 0, \"prefetch_factor\": 4}"))
                .isEqualTo(
                        "baseline.prefetch_factor: has no meaning without workers; leave it out where num_workers is 0");
        assertThat(refusal("\"baseline\": {\"num_workers\": 0, \"persistent_workers\": true}"))
                .isEqualTo(
                        "baseline.persistent_workers: has no meaning without workers; leave it out where num_workers is 0");
    }

    @Test
    void values_that_torch_asserts_on() throws Exception {
        assertThat(refusal("\"space\": {\"prefetch_factor\": [0]}"))
                .isEqualTo("space.prefetch_factor: must be from 1 to 1024, but is 0");
        assertThat(refusal("\"space\": {\"num_workers\": [-1]}"))
                .isEqualTo("space.num_workers: must be from 0 to 1024, but is -1");
        // torch refuses a timeout without workers; the user's own loader has one.
        WildStudy study = study("patient", Map.of(), NONE_OR_TWO);
        assertZeroWorkersWereMeasured(study);
        assertThat(study.trialWith(2).state()).isEqualTo(TrialState.COMPLETE);
    }

    @Test
    void a_batch_sampler_of_the_users_own() throws Exception {
        WildStudy study = study("own_batch_sampler", Map.of("samples", 30), """
                {"space": {"num_workers": [0, 1], "prefetch_factor": [2], "batch_size": [16, 32]},
                 "budget": {"seconds": 200}}""");

        assertThat(study.report().state()).isEqualTo(StudyState.COMPLETED);
        assertThat(study.records()).hasSize(2).allMatch(trial -> trial.config().batchSize() == 3);
        assertThat(study.report().bestByBatchSize())
                .extracting(BestOfBatchSize::batchSize)
                .containsExactly(3);
        assertThat(Objects.requireNonNull(study.report().baseline()).config().batchSize())
                .isEqualTo(3);
        assertThat(study.report().notes())
                .contains("batch_size was not varied: the DataLoader that the factory returned has a batch_sampler,"
                        + " which decides what a batch is; the first one held 3 samples");
        for (TrialRecord trial : study.records()) {
            for (RoundRecord round : trial.rounds()) {
                int batches = round.measurement().window().last()
                        - round.measurement().window().first();
                assertThat(round.measurement().window().samples()).isEqualTo(3L * batches);
                // Ten batches are a pass: it is begun again.
                assertThat(batches).isGreaterThan(10);
            }
        }
    }

    @Test
    void an_iterable_dataset_is_not_shuffled() throws Exception {
        WildStudy study = study("stream", Map.of("milliseconds", 1), NONE_OR_TWO);

        assertZeroWorkersWereMeasured(study);
        assertThat(facts(study).kind()).isEqualTo("iterable");
        assertThat(facts(study).length()).isNull();
        assertThat(study.trialWith(2).state())
                .as("%s", study.trialWith(2).failure())
                .isEqualTo(TrialState.COMPLETE);
    }

    @Test
    void an_iterable_that_does_not_shard() throws Exception {
        // Sleeping a millisecond a sample, two workers look twice as fast.
        WildStudy study = study("stream", Map.of("shards", false, "milliseconds", 1), """
                {"space": {"num_workers": [0, 1, 2, 3], "prefetch_factor": [2], "batch_size": [8]},
                 "budget": {"seconds": 400}}""");

        assertThat(winnersWorkers(study)).isLessThan(2);
        assertThat(study.trialWith(1).state()).isEqualTo(TrialState.COMPLETE);
        for (TrialRecord trial : study.records()) {
            if (trial.config().numWorkers() > 1) {
                TrialFailure failure = Objects.requireNonNull(trial.failure()).failure();
                assertThat(failure.reason()).isEqualTo(FailureReason.WRONG_DATA);
                assertThat(failure.message()).contains("every worker yields the same samples");
                assertThat(failure.advice()).contains("get_worker_info()", "only 0 or 1 worker can win");
                assertThat(failure.details())
                        .containsEntry("workers", trial.config().numWorkers());
            }
        }
        assertThat(failure(study, 2).reason()).isEqualTo(FailureReason.WRONG_DATA);
        assertZeroWorkersWereMeasured(study);
    }

    @Test
    void the_length_of_an_iterable_is_wrong() throws Exception {
        WildStudy study = study("stream", Map.of("samples", 100, "claims", 1000, "milliseconds", 1), NONE_OR_TWO);

        assertThat(facts(study).length()).isEqualTo(1000);
        assertThat(study.trialWith(2).state()).isEqualTo(TrialState.COMPLETE);
        for (RoundRecord round : study.trialWith(0).rounds()) {
            // A sample takes a millisecond at least: a length taken at its word would be ten times as fast.
            assertThat(round.samplesPerSecond()).isPositive().isLessThan(1000);
        }
        assertZeroWorkersWereMeasured(study);
    }

    @Test
    void an_endless_stream() throws Exception {
        WildStudy study = study("stream", Map.of("endless", true, "milliseconds", 1), NONE_OR_TWO);

        assertThat(study.trialWith(2).state())
                .as("%s", study.trialWith(2).failure())
                .isEqualTo(TrialState.COMPLETE);
        assertThat(study.trialWith(2).rounds())
                .allSatisfy(round -> assertThat(round.measurement().warning()).isNull());
        assertZeroWorkersWereMeasured(study);
    }

    @Test
    void a_lambda_under_spawn() throws Exception {
        WildStudy study = study("by_lambda", Map.of(), """
                {"space": {"num_workers": [0, 1, 2], "prefetch_factor": [2], "batch_size": [8],
                 "multiprocessing_context": "spawn"}, "budget": {"seconds": 200}}""");

        assertZeroWorkersWereMeasured(study);
        assertThat(winnersWorkers(study)).isZero();
        assertThat(study.records()).hasSizeGreaterThan(1);
        for (TrialRecord trial : study.records()) {
            if (trial.config().numWorkers() > 0) {
                TrialFailure failure = Objects.requireNonNull(trial.failure()).failure();
                assertThat(failure.reason()).isEqualTo(FailureReason.NOT_PICKLABLE);
                assertThat(failure.message()).startsWith("collate_fn cannot be sent to a worker: ");
                assertThat(failure.details()).containsEntry("part", "collate_fn");
                assertThat((String) failure.details().get("value")).startsWith("by_lambda.<locals>.<lambda>");
                assertThat(failure.advice()).contains("Use fork");
            }
        }
    }

    @Test
    void start_methods_are_never_mixed() throws Exception {
        WildStudy usual = study("few", Map.of("samples", 64), NONE_OR_TWO);
        WildStudy spawned = study("few", Map.of("samples", 64), """
                {"space": {"num_workers": [1], "prefetch_factor": [2], "batch_size": [8],
                 "multiprocessing_context": "spawn"},
                 "baseline": {"num_workers": 1, "batch_size": 8}, "budget": {"seconds": 200}}""");

        assertThat(startMethods(usual))
                .containsExactly(Objects.requireNonNull(facts(usual).startMethod()));
        assertThat(startMethods(spawned)).containsExactly("spawn");
        assertThat(spawned.records())
                .allMatch(trial -> "spawn".equals(trial.config().multiprocessingContext()));
    }

    private static Set<String> startMethods(WildStudy study) {
        return study.records().stream()
                .filter(trial -> trial.config().numWorkers() > 0)
                .flatMap(trial -> trial.rounds().stream())
                .map(round -> Objects.requireNonNull(round.measurement().startMethod()))
                .collect(Collectors.toSet());
    }

    private static LoaderFacts facts(WildStudy study) {
        return Objects.requireNonNull(study.report().facts());
    }

    /** How a request with this field is refused, before anything runs. */
    private static String refusal(String field) {
        Throwable refused = catchThrowable(() -> TunerJson.mapper()
                .readValue(
                        "{\"name\": \"wild\", \"source\": {\"kind\": \"synthetic\", \"samples\": 8}, " + field + "}",
                        StudyRequest.class));
        return String.valueOf(JsonFault.of((JacksonException) refused).getMessage());
    }
}
