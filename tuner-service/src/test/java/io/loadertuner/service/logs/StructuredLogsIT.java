package io.loadertuner.service.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.json.TunerJson;
import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What a log store finds in the log: which call and which study each line is about. */
class StructuredLogsIT {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    @TempDir
    Path folder;

    @AfterEach
    void forgetFormat() {
        System.clearProperty("FILE_LOG_STRUCTURED_FORMAT");
    }

    @ParameterizedTest
    @CsvSource({"ecs, /trace/id", "logstash, /trace.id"})
    void aStudysLinesBearItsIdAndItsCallersTrace(String format, String trace) {
        String id;
        try (RunningService service = start(format)) {
            Answer posted = service.calls()
                    .send(service.calls()
                            .request("/api/v1/studies?wait=30")
                            .header("Content-Type", "application/json")
                            .header("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")
                            .POST(BodyPublishers.ofString(RunningService.descriptor("logged"))));
            id = posted.text("id");
            assertThat(posted.header("Trace-Id")).isEqualTo(TRACE);
        }

        List<JsonNode> lines = lines();
        List<JsonNode> ofStudy = lines.stream()
                .filter(line -> line.path("study").asString("").equals(id))
                .toList();
        assertThat(ofStudy)
                .extracting(line -> line.path("message").asString().replaceFirst(" after .*", ""))
                .containsExactly(
                        "Study " + id + " of logged is queued",
                        "Study " + id + " of logged begins",
                        "Study " + id + " completed");
        // The call has long been answered when its study is measured.
        assertThat(ofStudy).extracting(line -> line.at(trace).asString("")).containsExactly(TRACE, "", "");
        assertThat(lines)
                .filteredOn(line -> line.path("message").asString().contains(id))
                .hasSameSizeAs(ofStudy);
    }

    @Test
    void aRetrysLinesBearItsTrialAsWell() {
        String id;
        int failed;
        try (RunningService service = start("ecs")) {
            id = service.post(RunningService.descriptor(InstantLoader.HANGING));
            service.awaitState(id, "completed");
            String trials = "/api/v1/studies/" + id + "/trials";
            failed = service.calls()
                    .get(trials)
                    .body()
                    .path("items")
                    .valueStream()
                    .filter(trial -> trial.path("state").asString().equals("failed"))
                    .findFirst()
                    .orElseThrow()
                    .path("number")
                    .asInt();
            service.calls().post(trials + "/" + failed + "/retry", "{}");
            service.calls()
                    .await(
                            trials + "/" + failed,
                            RunningService.SOON,
                            trial -> trial.path("retries")
                                    .path(0)
                                    .path("state")
                                    .asString("")
                                    .equals("failed"));
        }

        assertThat(lines())
                .filteredOn(line -> line.path("trial").asString("").equals(String.valueOf(failed)))
                .filteredOn(line -> line.path("study").asString("").equals(id))
                .extracting(line -> line.path("message").asString())
                .containsExactly(
                        "Trial " + failed + " of study " + id + " is to be tried again",
                        "The retry of trial " + failed + " of study " + id + " failed: timed_out");
    }

    @Test
    void anErrorIsFoundByWhatItsAnswerSays() {
        Answer failed;
        Answer other;
        try (RunningService service = start("ecs")) {
            failed = service.calls().post("/api/v1/descriptors/check", RunningService.descriptor(InstantLoader.FAULTY));
            other = service.calls().get("/api/v1/nothing");
        }
        String trace = failed.header("Trace-Id");

        assertThat(failed.status()).isEqualTo(500);
        assertThat(failed.text("instance")).isEqualTo("urn:loader-tuner:call:" + trace);
        assertThat(other.header("Trace-Id")).isNotEqualTo(trace);
        JsonNode line = lines().stream()
                .filter(one -> one.at("/trace/id").asString("").equals(trace))
                .findFirst()
                .orElseThrow();
        assertThat(line.at("/log/level").asString()).isEqualTo("ERROR");
        assertThat(line.path("message").asString()).contains(failed.text("instance"));
        assertThat(line.at("/error/message").asString()).isEqualTo("a fault in the loader");
        assertThat(line.at("/error/stack_trace").asString()).contains("InstantLoader.open");
        assertThat(line.path("@timestamp").asString()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
        assertThat(line.at("/service/name").asString()).isEqualTo("loader-tuner");
    }

    @ParameterizedTest
    @CsvSource({
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "nonsense"
    })
    void aTraceThatIsNoneIsNotTaken(String traceparent) {
        try (RunningService service = start("ecs")) {
            Answer answer = service.calls()
                    .send(service.calls()
                            .request("/api/v1/machine-types")
                            .header("traceparent", traceparent)
                            .GET());

            assertThat(answer.header("Trace-Id")).matches("[0-9a-f]{32}");
            assertThat(traceparent).doesNotContain(answer.header("Trace-Id"));
        }
    }

    private RunningService start(String format) {
        return RunningService.start(
                folder.resolve("home"),
                new InstantLoader(),
                "logging.file.name=" + folder.resolve("service.log"),
                "logging.structured.format.file=" + format);
    }

    private List<JsonNode> lines() {
        try (var lines = Files.lines(folder.resolve("service.log"))) {
            return lines.map(line -> TunerJson.mapper().readTree(line)).toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
