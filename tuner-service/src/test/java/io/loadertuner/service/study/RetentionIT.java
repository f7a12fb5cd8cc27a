package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** What is deleted when it is old, and what stays. */
@Tag("database")
class RetentionIT {
    @TempDir
    static Path home;

    private static RunningService service;

    @BeforeAll
    static void start() {
        service = RunningService.start(home, new InstantLoader(), "loader-tuner.retention.trials=200d");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void theTimesOfBatchesGoFirst() {
        String old = completed("old", 91);
        String young = completed("young", 89);
        JsonNode before = trial(old);

        service.bean(Retention.class).apply();

        JsonNode after = trial(old);
        assertThat(before.path("rounds").get(0).path("arrivals_micros")).isNotEmpty();
        assertThat(after.path("rounds")).hasSameSizeAs(before.path("rounds"));
        assertThat(after.path("rounds").get(0).path("arrivals_micros")).isEmpty();
        assertThat(after.path("throughput")).isEqualTo(before.path("throughput"));
        assertThat(trial(young).path("rounds").get(0).path("arrivals_micros")).isNotEmpty();
    }

    @Test
    void thenTheTrialsAndNeverWhatTheyShowed() {
        String old = completed("ancient", 201);
        JsonNode study = service.study(old).body();
        Answer recommended = service.calls().get("/api/v1/recommendations?dataset=ancient");

        service.bean(Retention.class).apply();

        assertThat(service.calls()
                        .get("/api/v1/studies/" + old + "/trials")
                        .body()
                        .path("items"))
                .isEmpty();
        assertThat(service.calls().get("/api/v1/studies/" + old + "/trials/1").status())
                .isEqualTo(404);
        assertThat(service.study(old).body()).isEqualTo(study);
        assertThat(service.calls()
                        .get("/api/v1/recommendations?dataset=ancient")
                        .body())
                .isEqualTo(recommended.body());
    }

    @Test
    void nothingIsDeletedBesideAMeasurementNorWhatIsToBeTriedAgain() {
        String old = completed(InstantLoader.HANGING, 201);
        int failed = failed(old);
        service.loader().allowRounds(0);
        try {
            service.awaitState(service.post(RunningService.descriptor("measured-meanwhile")), "running");
            assertThat(service.calls()
                            .post("/api/v1/studies/" + old + "/trials/" + failed + "/retry", "")
                            .status())
                    .isEqualTo(202);
            service.bean(Retention.class).apply();
            assertThat(trial(old).path("rounds")).isNotEmpty();

            service.bean(TrialStore.class).delete(old);

            assertThat(service.calls()
                            .get("/api/v1/studies/" + old + "/trials")
                            .body()
                            .path("items"))
                    .hasSize(1);
        } finally {
            service.loader().allowAll();
        }
        service.calls()
                .await(
                        "/api/v1/studies/" + old + "/trials/" + failed,
                        RunningService.SOON,
                        trial -> trial.path("retries")
                                .get(0)
                                .path("state")
                                .asString()
                                .equals("failed"));
    }

    private static int failed(String study) {
        return service.calls()
                .get("/api/v1/studies/" + study + "/trials")
                .body()
                .path("items")
                .valueStream()
                .filter(trial -> trial.path("state").asString().equals("failed"))
                .findFirst()
                .orElseThrow()
                .path("number")
                .asInt();
    }

    @Test
    void aStudyThatIsNotOverIsLeftAlone() {
        service.loader().allowRounds(2);
        try {
            String running = service.post(RunningService.descriptor("running"));
            service.calls()
                    .await(
                            "/api/v1/studies/" + running + "/trials",
                            RunningService.SOON,
                            page -> page.path("items").size() > 0);

            service.bean(Retention.class).apply();

            assertThat(trial(running).path("number").asInt()).isEqualTo(1);
        } finally {
            service.loader().allowAll();
        }
    }

    private static String completed(String dataset, int daysAgo) {
        String id = service.post(RunningService.descriptor(dataset));
        service.awaitState(id, "completed");
        service.bean(JdbcClient.class)
                .sql("update study set ended_at = :then where id = :id")
                .param("then", OffsetDateTime.now(ZoneOffset.UTC).minusDays(daysAgo))
                .param("id", id)
                .update();
        return id;
    }

    private static JsonNode trial(String study) {
        return service.calls().get("/api/v1/studies/" + study + "/trials/1").body();
    }
}
