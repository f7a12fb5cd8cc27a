package io.loadertuner.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What an operator's monitoring reads. */
class MetricsIT {
    @TempDir
    Path home;

    private RunningService service;

    @BeforeEach
    void start() {
        service = RunningService.start(home, new InstantLoader());
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void studiesAndTrialsAreCountedByStateAndFailure() {
        String measured = service.post(RunningService.descriptor("measured"));
        String hanging = service.post(RunningService.descriptor(InstantLoader.HANGING));
        String broken = service.post(RunningService.descriptor(InstantLoader.BROKEN));
        service.awaitState(measured, "completed");
        service.awaitState(hanging, "completed");
        service.awaitState(broken, "failed");

        int complete = trials(measured, "complete") + trials(hanging, "complete");
        int failed = trials(hanging, "failed");

        assertThat(value("loader_tuner_studies_total", "state=\"completed\"")).hasValue(2);
        assertThat(value("loader_tuner_studies_total", "state=\"failed\"")).hasValue(1);
        assertThat(complete).isPositive();
        assertThat(value("loader_tuner_trials_total", "failure=\"none\",state=\"complete\""))
                .hasValue(complete);
        assertThat(failed).isEqualTo(1);
        assertThat(value("loader_tuner_trials_total", "failure=\"timed_out\",state=\"failed\""))
                .hasValue(1);
        assertThat(value("loader_tuner_trial_duration_seconds_count", "state=\"complete\""))
                .hasValue(complete);
    }

    @Test
    void theQueueIsShown() {
        service.loader().allowRounds(0);
        String running = service.post(RunningService.descriptor("running"));
        service.awaitState(running, "running");
        assertThat(value("loader_tuner_queue_length", "")).hasValue(0);
        assertThat(value("loader_tuner_queue_wait_seconds", "")).hasValue(0);

        service.post(RunningService.descriptor("waiting"));
        service.post(RunningService.descriptor("waiting"));

        assertThat(value("loader_tuner_queue_length", "")).hasValue(2);
        assertThat(value("loader_tuner_queue_wait_seconds", "").orElseThrow()).isPositive();
    }

    @Test
    void whatIsRecommendedIsShownWithItsInterval() {
        service.awaitState(service.post(RunningService.descriptor("shown")), "completed");
        JsonNode throughput = service.calls()
                .get("/api/v1/recommendations?dataset=shown")
                .body()
                .path("throughput");

        assertThat(rate("shown", "point"))
                .hasValue(throughput.path("samples_per_second").asDouble());
        assertThat(rate("shown", "low")).hasValue(throughput.path("low").asDouble());
        assertThat(rate("shown", "high")).hasValue(throughput.path("high").asDouble());

        service.stop();
        service = RunningService.start(home, new InstantLoader());
        assertThat(rate("shown", "point"))
                .hasValue(throughput.path("samples_per_second").asDouble());
    }

    @Test
    void lookupsAreTimedByWhatTheyFound() {
        service.calls().get("/api/v1/recommendations?dataset=unknown");
        service.calls().get("/api/v1/recommendations?dataset=unknown");

        assertThat(value("loader_tuner_lookup_seconds_count", "status=\"default\""))
                .hasValue(2);
    }

    private int trials(String study, String state) {
        return (int) service.calls()
                .get("/api/v1/studies/" + study + "/trials")
                .body()
                .path("items")
                .valueStream()
                .filter(trial -> trial.path("state").asString().equals(state))
                .count();
    }

    private OptionalDouble rate(String dataset, String bound) {
        return value(
                "loader_tuner_recommendation_samples_per_second",
                "bound=\"" + bound + "\",dataset=\"" + dataset + "\",machine_type=\"test-machine\"");
    }

    private OptionalDouble value(String name, String tags) {
        String start = name + (tags.isEmpty() ? "" : "{" + tags + "}") + " ";
        return service.calls()
                .get("/actuator/prometheus")
                .raw()
                .body()
                .lines()
                .filter(line -> line.startsWith(start))
                .mapToDouble(line -> Double.parseDouble(line.substring(start.length())))
                .findFirst();
    }
}
