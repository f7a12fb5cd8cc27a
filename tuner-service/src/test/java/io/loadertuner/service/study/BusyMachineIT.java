package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.machine.MachineLock;
import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens while somebody measures on this machine. */
class BusyMachineIT {
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
    void aCheckIsNotRunBesideAStudy() {
        service.loader().allowRounds(0);
        String running = service.post(RunningService.descriptor("measured"));
        service.awaitState(running, "running");

        Answer answer = service.calls().post("/api/v1/descriptors/check", RunningService.descriptor("checked"));

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.text("type")).isEqualTo("urn:loader-tuner:problem:machine-busy");
        assertThat(answer.header("Retry-After")).isEqualTo("30");
        assertThat(service.loader().opened()).noneMatch(opened -> opened.name().equals("checked"));
        service.loader().allowAll();
        service.awaitState(running, "completed");
    }

    @Test
    void anotherProcessThatMeasuresIsWaitedForAndAWaitingStudyCanBeCancelled() throws Exception {
        try (MachineLock other = MachineLock.acquire(home.resolve("measuring.lock"), "a test", holder -> {})) {
            String waiting = service.post(RunningService.descriptor("waits"));

            Answer check = service.calls().post("/api/v1/descriptors/check", RunningService.descriptor("beside"));
            Answer before = service.study(waiting);
            Answer cancelled = service.calls().post("/api/v1/studies/" + waiting + "/cancel", "{}");

            assertThat(other).isNotNull();
            assertThat(check.status()).isEqualTo(503);
            assertThat(before.text("state")).isEqualTo("queued");
            assertThat(cancelled.text("state")).isEqualTo("cancelled");
        }
        String next = service.post(RunningService.descriptor("after"));
        service.awaitState(next, "completed");
    }
}
