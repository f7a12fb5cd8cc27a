package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A database that fails for a while, as on a full disk; played by a table that is not there. */
class BrokenStoreIT {
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

    @Test
    void aStudyWhoseRoundsCannotBeStoredFailsAndTheNextOneRuns() {
        sql("alter table round rename to round_away");
        String unlucky = service.post(RunningService.descriptor("unlucky"));
        Answer failed = service.awaitState(unlucky, "failed");
        sql("alter table round_away rename to round");

        String next = service.post(RunningService.descriptor("next"));

        service.awaitState(next, "completed");
        assertThat(failed.body().path("failure").path("reason").asString()).isEqualTo("runner_error");
    }

    @Test
    void theQueueGoesOnWhenTheStoreIsThereAgain() {
        service.loader().allowRounds(1);
        String id = service.post(RunningService.descriptor("patient"));
        service.awaitState(id, "running");
        sql("alter table study rename to study_away");
        service.loader().allowAll();

        Answer study = service.study(id);
        Answer recommendation = service.calls().get("/api/v1/recommendations?dataset=patient");
        sql("alter table study_away rename to study");

        assertThat(study.status()).isEqualTo(500);
        assertThat(study.raw().body()).doesNotContain("study_away", "select", "SQL");
        assertThat(recommendation.status()).isEqualTo(200);
        assertThat(recommendation.text("status")).isEqualTo("default");
        service.awaitState(id, "completed");
    }

    private static void sql(String statement) {
        service.bean(JdbcClient.class).sql(statement).update();
    }
}
