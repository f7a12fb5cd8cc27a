package io.loadertuner.service.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.loadertuner.service.ServiceCalls;
import io.loadertuner.service.ServiceCalls.Answer;
import io.loadertuner.service.ServiceProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The packaged service, killed, stopped or told to cancel in the middle of a study that measures with the real DataLoader. */
class KilledServiceIT {
    private static final Duration SOON = Duration.ofSeconds(15);
    private static final Duration STUDY = Duration.ofMinutes(3);

    private final MarkedProcesses processes = new MarkedProcesses();

    @TempDir
    Path home;

    @Test
    void aStudyGoesOnAfterKillMinusNineAndNothingIsLostDoubledOrLeftBehind() {
        Map<String, JsonNode> before;
        String study;
        try (ServiceProcess service = start()) {
            study = service.calls().post("/api/v1/studies", """
                            {"name": "killed", "source": {"kind": "synthetic", "samples": 4000,
                             "sample_milliseconds": 5}, "space": {"num_workers": [0, 1, 2, 3]},
                             "baseline": {"batch_size": 8}, "budget": {"seconds": 30}}""").text("id");
            await().atMost(STUDY).until(() -> rounds(service.calls(), study).size() >= 4);
            before = rounds(service.calls(), study);
            assertThat(processes.below()).isNotEmpty();

            service.kill();

            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(processes.below()).isEmpty());
        }
        try (ServiceProcess again = start()) {
            JsonNode ended = again.calls().awaitState(study, "completed", STUDY).body();

            Map<String, JsonNode> after = rounds(again.calls(), study);
            assertThat(after).containsAllEntriesOf(before);
            assertThat(after.size()).isGreaterThan(before.size());
            assertThat(ended.at("/recommendation/config").isObject()).isTrue();
            assertThat(configs(again.calls(), study)).doesNotHaveDuplicates();
        }
        await().atMost(SOON).untilAsserted(() -> assertThat(processes.below()).isEmpty());
    }

    @Test
    @Tag("jdk25")
    void aStudyThatTheServiceWasAskedToLeaveGoesOnToo() {
        String study;
        try (ServiceProcess service = start()) {
            study = service.calls().post("/api/v1/studies", """
                            {"name": "left", "source": {"kind": "synthetic", "samples": 4000,
                             "sample_milliseconds": 5}, "space": {"num_workers": [0, 1]},
                             "baseline": {"batch_size": 8}, "budget": {"seconds": 10}}""").text("id");
            await().atMost(STUDY).until(() -> !rounds(service.calls(), study).isEmpty());

            service.stop();

            assertThat(processes.below()).isEmpty();
        }
        try (ServiceProcess again = start()) {
            again.calls().awaitState(study, "completed", STUDY);
        }
    }

    @Test
    void aStudyThatIsCancelledKeepsWhatWasMeasuredAndLeavesNoProcess() {
        try (ServiceProcess service = start()) {
            String study = service.calls().post("/api/v1/studies", """
                            {"name": "cancelled", "source": {"kind": "synthetic", "samples": 4000,
                             "sample_milliseconds": 5}, "space": {"num_workers": [0, 1, 2], "prefetch_factor": [2]},
                             "baseline": {"batch_size": 8, "num_workers": 2}, "budget": {"seconds": 60}}""").text("id");
            await().atMost(STUDY).until(() -> rounds(service.calls(), study).size() >= 2);
            Map<String, JsonNode> before = rounds(service.calls(), study);
            assertThat(processes.below()).isNotEmpty();

            Answer cancelled = service.calls().post("/api/v1/studies/" + study + "/cancel", "{}");

            assertThat(processes.below()).isEmpty();
            assertThat(cancelled.status()).isEqualTo(200);
            assertThat(cancelled.text("state")).isEqualTo("cancelled");
            assertThat(cancelled.body().at("/failure/reason").asString()).isEqualTo("cancelled");
            assertThat(rounds(service.calls(), study)).containsAllEntriesOf(before);
            assertThat(cancelled
                            .body()
                            .at("/baseline/throughput/samples_per_second")
                            .asDouble())
                    .isPositive();
        }
    }

    private ServiceProcess start() {
        ServiceProcess service = ServiceProcess.launch(
                home,
                processes.environment(),
                "--loader-tuner.python.passed-environment=" + MarkedProcesses.VARIABLE,
                "--loader-tuner.measuring-lock=" + home.resolve("measuring.lock"));
        service.awaitListening();
        return service;
    }

    /** Every stored round by trial, phase and number; a round that is there twice fails. */
    private static Map<String, JsonNode> rounds(ServiceCalls calls, String study) {
        Map<String, JsonNode> rounds = new LinkedHashMap<>();
        for (JsonNode trial :
                calls.get("/api/v1/studies/" + study + "/trials").body().get("items")) {
            JsonNode whole = calls.get("/api/v1/studies/" + study + "/trials/"
                            + trial.get("number").asInt())
                    .body();
            for (JsonNode round : whole.get("rounds")) {
                String key = trial.get("number") + " " + round.get("phase") + " " + round.get("round");
                assertThat(rounds.put(key, round)).as(key).isNull();
            }
        }
        return rounds;
    }

    private static List<JsonNode> configs(ServiceCalls calls, String study) {
        return calls.get("/api/v1/studies/" + study + "/trials")
                .body()
                .get("items")
                .valueStream()
                .map(trial -> trial.get("config"))
                .toList();
    }
}
