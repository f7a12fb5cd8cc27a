package io.loadertuner.service.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.loadertuner.service.ServiceCalls;
import io.loadertuner.service.ServiceProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The packaged service and the real DataLoader: what is known of a trial after its service was killed. */
class RememberedIT {
    private static final Duration STUDY = Duration.ofMinutes(3);

    @TempDir
    Path home;

    @Test
    void a_hang_is_not_tried_again() {
        String trial;
        JsonNode hung;
        String study;
        try (ServiceProcess service = start(Map.of())) {
            study = post(service, """
                    {"name": "hangs", "source": {"kind": "python", "factory": "wild_outcomes:choosy",
                     "arguments": {"hanging": [2]}}, "space": {"num_workers": [0, 1, 2], "prefetch_factor": [2]},
                     "baseline": {"batch_size": 8}, "budget": {"seconds": 40}}""");
            trial = awaitTrial(service, study, "failed", 2);
            hung = service.calls().get(trial).body();
            assertThat(hung.at("/failure/reason").asString()).isEqualTo("timed_out");

            service.kill();
        }
        try (ServiceProcess again = start(Map.of())) {
            JsonNode ended = again.calls().awaitState(study, "completed", STUDY).body();

            assertThat(again.calls().get(trial).body()).isEqualTo(hung);
            assertThat(ended.at("/recommendation/config/num_workers").asInt()).isLessThan(2);
            assertThat(again.calls()
                            .get(path(study) + "/trials")
                            .body()
                            .get("items")
                            .valueStream())
                    .filteredOn(other -> other.at("/config/num_workers").asInt() == 2)
                    .hasSize(1);

            JsonNode retried = again.calls().post(trial + "/retry", "{}").body();
            assertThat(retried.at("/retries/0/state").asString()).isIn("queued", "running");
            JsonNode over = again.calls()
                    .await(
                            trial,
                            STUDY,
                            body -> body.at("/retries/0/state").asString("").equals("failed"))
                    .body();
            assertThat(over.at("/retries/0/failure/reason").asString()).isEqualTo("timed_out");
            assertThat(over.at("/failure")).isEqualTo(hung.at("/failure"));
        }
    }

    @Test
    void a_dead_owner_leaves_no_running_trial() {
        String study;
        int number;
        try (ServiceProcess service = start(Map.of())) {
            study = post(service, """
                    {"name": "killed", "source": {"kind": "python", "factory": "wild_outcomes:plain"},
                     "space": {"num_workers": [0, 1], "prefetch_factor": [2]}, "baseline": {"batch_size": 8},
                     "budget": {"seconds": 10}}""");
            String open = awaitTrial(service, study, "running", null);
            number = service.calls().get(open).body().get("number").asInt();

            service.kill();
        }
        try (ServiceProcess again = start(Map.of())) {
            again.calls().awaitState(study, "completed", STUDY);

            JsonNode trials = again.calls().get(path(study) + "/trials").body().get("items");
            assertThat(trials.valueStream())
                    .noneMatch(trial -> trial.get("state").asString().equals("running"))
                    .anyMatch(trial -> trial.get("number").asInt() == number
                            && trial.get("state").asString().equals("complete"));
        }
    }

    @Test
    void theLogOfATrialHoldsWhatItPrintedAndNoSecret() {
        Map<String, String> environment =
                Map.of("CLOUD_SECRET_KEY", "a-secret-of-the-service", "DATASET_FLAVOUR", "listed-by-the-operator");
        try (ServiceProcess service = start(environment, "--loader-tuner.python.passed-environment=DATASET_FLAVOUR")) {
            String study = post(service, """
                    {"name": "talks", "source": {"kind": "python", "factory": "wild_outcomes:talkative"},
                     "space": {"num_workers": [0, 1], "prefetch_factor": [2]}, "baseline": {"batch_size": 8, "num_workers": 1},
                     "budget": {"seconds": 10}}""");
            service.calls().awaitState(study, "completed", STUDY);

            JsonNode trials =
                    service.calls().get(path(study) + "/trials").body().get("items");
            assertThat(trials).isNotEmpty();
            for (JsonNode each : trials) {
                int trial = each.get("number").asInt();
                ServiceCalls.Answer log = service.calls().get(path(study) + "/trials/" + trial + "/log");
                String text = Objects.requireNonNull(log.raw().body());
                assertThat(log.status()).isEqualTo(200);
                assertThat(log.contentType()).isEqualToIgnoringCase("text/plain;charset=UTF-8");
                assertThat(text)
                        .contains("sample ")
                        .contains("'DATASET_FLAVOUR', 'listed-by-the-operator'")
                        .doesNotContain("CLOUD_SECRET_KEY", "a-secret-of-the-service");
                assertThat(text.length()).isLessThan(66_000);
            }
            assertThat(service.calls().get(path(study) + "/trials/1/log").raw().body())
                    .startsWith("built with ");
        }
    }

    private ServiceProcess start(Map<String, String> environment, String... more) {
        String[] arguments = Stream.concat(
                        Stream.of(
                                "--loader-tuner.code-roots=" + TestPython.USER_CODE,
                                "--loader-tuner.measuring-lock=" + home.resolve("measuring.lock"),
                                "--loader-tuner.limits.startup=8s"),
                        Stream.of(more))
                .toArray(String[]::new);
        ServiceProcess service = ServiceProcess.launch(home, environment, arguments);
        service.awaitListening();
        return service;
    }

    private static String post(ServiceProcess service, String json) {
        ServiceCalls.Answer posted = service.calls().post("/api/v1/studies", json);
        assertThat(posted.status()).as(posted.raw().body()).isEqualTo(202);
        return posted.text("id");
    }

    private static String path(String study) {
        return "/api/v1/studies/" + study;
    }

    /** The address of the first trial in that state. */
    private static String awaitTrial(ServiceProcess service, String study, String state, @Nullable Integer workers) {
        String trials = path(study) + "/trials";
        return await().atMost(STUDY)
                .until(
                        () -> service.calls()
                                .get(trials)
                                .body()
                                .get("items")
                                .valueStream()
                                .filter(trial -> trial.get("state").asString().equals(state))
                                .filter(trial -> workers == null
                                        || trial.at("/config/num_workers").asInt() == workers)
                                .map(trial -> trials + "/" + trial.get("number").asInt())
                                .findFirst()
                                .orElse(""),
                        found -> !found.isEmpty());
    }
}
