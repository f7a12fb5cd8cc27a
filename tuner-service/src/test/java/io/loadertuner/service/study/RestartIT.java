package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A service that stops and starts again on the same home. */
@Tag("database")
class RestartIT {
    @TempDir
    Path home;

    @Test
    void studiesGoOnInTheirOrderAndNoRoundIsMeasuredTwice() {
        InstantLoader before = new InstantLoader();
        before.allowRounds(4);
        RunningService first = RunningService.start(home, before);
        String running = first.post(RunningService.descriptor("running"));
        String queued = first.post(RunningService.descriptor("queued"));
        first.awaitRounds(4);

        first.stop();

        assertThat(before.openSessions()).isZero();
        InstantLoader after = new InstantLoader();
        try (RunningService second = RunningService.start(home, after)) {
            JsonNode resumed = second.awaitState(running, "completed").body();
            second.awaitState(queued, "completed");

            List<String> order = after.rounds().stream()
                    .map(InstantLoader.Round::dataset)
                    .distinct()
                    .toList();
            assertThat(order).containsExactly("running", "queued");
            long measuredBoth = 4
                    + after.rounds().stream()
                            .filter(round -> round.dataset().equals("running"))
                            .count();
            assertThat(roundsStored(second, running)).isEqualTo(measuredBoth);
            JsonNode uninterrupted = second.study(queued).body();
            assertThat(roundsStored(second, queued)).isEqualTo(measuredBoth);
            assertThat(resumed.path("recommendation").path("config"))
                    .isEqualTo(uninterrupted.path("recommendation").path("config"));
        }
    }

    @Test
    void aStudyThatIsCutOffIsNeitherFailedNorCancelled() {
        InstantLoader loader = new InstantLoader();
        loader.allowRounds(1);
        RunningService service = RunningService.start(home, loader);
        String id = service.post(RunningService.descriptor("cut-off"));
        service.awaitRounds(1);

        long begun = System.nanoTime();
        service.stop();

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
        InstantLoader held = new InstantLoader();
        held.allowRounds(0);
        try (RunningService again = RunningService.start(home, held)) {
            assertThat(again.study(id).text("state")).isEqualTo("running");
            assertThat(again.study(id).body().path("failure").isNull()).isTrue();
            assertThat(again.calls()
                            .post("/api/v1/studies/" + id + "/cancel", "{}")
                            .text("state"))
                    .isEqualTo("cancelled");
        }
    }

    @Test
    @DisabledIfSystemProperty(
            named = "loader-tuner.test.database",
            matches = "postgresql",
            disabledReason = "another machine's service may use it too, and that type may be there")
    void whatWasPostedForTheMachinesOldTypeFails() {
        InstantLoader loader = new InstantLoader();
        loader.allowRounds(1);
        RunningService service = RunningService.start(home, loader);
        String running = service.post(RunningService.descriptor("stranded"));
        String queued = service.post(RunningService.descriptor("stranded-too"));
        service.awaitRounds(1);
        service.stop();

        try (RunningService renamed =
                RunningService.start(home, new InstantLoader(), "loader-tuner.machine-type=other")) {
            for (String id : List.of(running, queued)) {
                JsonNode study = renamed.study(id).body();
                assertThat(study.path("state").asString()).isEqualTo("failed");
                assertThat(study.path("failure").path("reason").asString()).isEqualTo("runner_error");
                assertThat(study.path("failure").path("message").asString())
                        .contains("posted for machine type test-machine; this machine is now other; post it again");
            }
        }
    }

    @Test
    void whoWaitsForAStudyIsToldHowItStandsWhenTheServiceStops() throws Exception {
        InstantLoader loader = new InstantLoader();
        loader.allowRounds(1);
        RunningService service = RunningService.start(home, loader);
        CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> {
            var answer = service.calls().post("/api/v1/studies?wait=600", RunningService.descriptor("waited-for"));
            return answer.status() + " " + answer.text("state");
        });
        service.awaitRounds(1);

        service.stop();

        assertThat(waiting.get(10, TimeUnit.SECONDS)).isEqualTo("202 running");
    }

    private static long roundsStored(RunningService service, String id) {
        List<Integer> rounds = new ArrayList<>();
        JsonNode trials =
                service.calls().get("/api/v1/studies/" + id + "/trials").body().path("items");
        trials.forEach(trial -> rounds.add(service.calls()
                .get("/api/v1/studies/" + id + "/trials/" + trial.path("number").asInt())
                .body()
                .path("rounds")
                .size()));
        return rounds.stream().mapToLong(Integer::longValue).sum();
    }
}
