package io.loadertuner.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What whoever starts and restarts the service asks, and what nobody can. */
class HealthIT {
    @TempDir
    static Path home;

    private static RunningService service;

    @BeforeAll
    static void start() {
        service = RunningService.start(home, new InstantLoader());
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/liveness", "/readiness"})
    void aServiceThatRunsIsHealthy(String group) {
        Answer answer = service.calls().get("/actuator/health" + group);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("status")).isEqualTo("UP");
    }

    @ParameterizedTest
    @ValueSource(strings = {"env", "beans", "heapdump", "configprops", "loggers", "threaddump", "shutdown", "metrics"})
    void nothingElseOfTheServiceIsShown(String endpoint) {
        assertThat(service.calls().get("/actuator/" + endpoint).status()).isEqualTo(404);
    }
}
