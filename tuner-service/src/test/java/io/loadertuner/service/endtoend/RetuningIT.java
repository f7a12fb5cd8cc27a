package io.loadertuner.service.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.loadertuner.service.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The packaged service, whose canary looks with the real DataLoader at a dataset that becomes eight times as slow. */
@Tag("rates")
class RetuningIT {
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final int MOST_TIMES = 6;

    @TempDir
    Path home;

    @Test
    void aDatasetThatLoadsAsItDidIsLeftAloneAndOneThatDoesNotIsTunedAgain() throws IOException {
        Path pace = home.resolve("pace.txt");
        Files.writeString(pace, "0.5");
        try (ServiceProcess service = ServiceProcess.start(home, "--loader-tuner.code-roots=" + TestPython.USER_CODE)) {
            String id = service.calls()
                    .post("/api/v1/schedules", """
                            {"study": {"name": "paced", "source": {"kind": "python", "factory": "paced:paced",
                                       "arguments": {"pace_file": "%s"}},
                                       "space": {"num_workers": [0, 1]}, "baseline": {"batch_size": 8},
                                       "budget": {"seconds": 12}},
                             "cron": "0 3 1 1 *", "canary_seconds": 5}""".formatted(pace))
                    .text("id");

            JsonNode first = run(service, id);
            assertThat(first.path("outcome").asString()).isEqualTo("first");
            service.calls().awaitState(first.path("study").asString(), "completed", LONG);

            JsonNode quiet = run(service, id);
            assertThat(quiet.path("outcome").asString()).as(quiet.toString()).isEqualTo("quiet");
            assertThat(quiet.at("/rates/incumbent").asDouble()).isPositive();

            Files.writeString(pace, "4");
            JsonNode drifted = run(service, id);
            assertThat(drifted.path("outcome").asString())
                    .as(drifted.toString())
                    .isEqualTo("drifted");
            assertThat(drifted.at("/movement/incumbent/high").asDouble()).isLessThan(1);
            service.calls().awaitState(drifted.path("study").asString(), "completed", LONG);
        }
    }

    /** A run that was not disturbed: what else uses this machine is not what is tested. */
    private static JsonNode run(ServiceProcess service, String id) {
        JsonNode run = once(service, id);
        for (int time = 1; time < MOST_TIMES && run.path("outcome").asString().equals("disturbed"); time++) {
            run = once(service, id);
        }
        return run;
    }

    private static JsonNode once(ServiceProcess service, String id) {
        int before = service.calls()
                .get("/api/v1/schedules/" + id + "/runs")
                .body()
                .path("items")
                .size();
        assertThat(service.calls().post("/api/v1/schedules/" + id + "/run", "").status())
                .isEqualTo(202);
        String runs = "/api/v1/schedules/" + id + "/runs";
        // Asking often would itself be what disturbs the measurement.
        await().atMost(LONG).pollInterval(Duration.ofSeconds(2)).until(() -> {
            JsonNode items = service.calls().get(runs).body().path("items");
            return items.size() > before && items.at("/0/state").asString().equals("done");
        });
        return service.calls().get(runs).body().at("/items/0");
    }
}
