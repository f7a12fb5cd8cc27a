package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What a service does with what failed before: it leaves it alone until somebody asks for it. */
@Tag("database")
class RetryIT {
    private static final LoaderConfig ONE_WORKER = LoaderConfig.of(1, 2, false, 32, true, null);

    @TempDir
    Path home;

    @Test
    void aRetryMeasuresTheConfigAgainAndLeavesTheStudyAsItWas() {
        try (RunningService service = RunningService.start(home, new InstantLoader())) {
            String id = service.post(RunningService.descriptor("hanging-retried"));
            JsonNode study = service.awaitState(id, "completed").body();
            String trial = failedTrial(service, id);
            JsonNode before = service.calls().get(trial).body();
            service.loader().mend();

            Answer accepted = service.calls().post(trial + "/retry", "{}");

            assertThat(accepted.status()).isEqualTo(202);
            assertThat(accepted.header("Location")).isEqualTo(trial);
            assertThat(accepted.body().path("retries").size()).isEqualTo(1);
            JsonNode after = awaitRetry(service, trial, "complete");
            JsonNode retry = after.at("/retries/0");
            assertThat(retry.at("/throughput/samples_per_second").asDouble()).isCloseTo(1000, offset(1e-6));
            assertThat(retry.at("/throughput/rounds").asInt()).isEqualTo(3);
            assertThat(retry.path("failure").isNull()).isTrue();
            assertThat(retry.path("ended_at").asString()).isNotEmpty();
            for (String kept : new String[] {"state", "failure", "rounds", "throughput"}) {
                assertThat(after.get(kept)).isEqualTo(before.get(kept));
            }
            assertThat(service.study(id).body()).isEqualTo(study);
            assertThat(service.calls().get(trial + "/log").raw().body())
                    .isEqualTo("1 worker, prefetch 2, batch 32\n\n[tried again]\n"
                            + "1 worker, prefetch 2, batch 32\n".repeat(3));
        }
    }

    @Test
    void whatHungIsLeftAloneByLaterStudiesUntilARetryWorked() {
        try (RunningService service = RunningService.start(home, new InstantLoader())) {
            String first = service.post(RunningService.descriptor("hanging-later"));
            service.awaitState(first, "completed");
            String trial = failedTrial(service, first);

            String second = service.post(RunningService.descriptor("hanging-later"));
            JsonNode skipped = service.awaitState(second, "completed").body().path("skipped");

            assertThat(hangs(service)).isEqualTo(1);
            assertThat(skipped.at("/0/config/num_workers").asInt()).isEqualTo(1);
            assertThat(skipped.at("/0/reason").asString())
                    .startsWith("timed_out in trial ")
                    .contains("POST " + trial + "/retry");

            service.calls().post(trial + "/retry", "{}");
            JsonNode failed = awaitRetry(service, trial, "failed");
            assertThat(failed.at("/retries/0/failure/reason").asString()).isEqualTo("timed_out");
            service.loader().mend();
            service.calls().post(trial + "/retry", "{}");
            service.calls()
                    .await(
                            trial,
                            RunningService.SOON,
                            body -> body.at("/retries/1/state").asString().equals("complete"));
            String third = service.post(RunningService.descriptor("hanging-later"));
            assertThat(service.awaitState(third, "completed")
                            .body()
                            .path("skipped")
                            .isEmpty())
                    .isTrue();
        }
    }

    @Test
    void aRetrySurvivesARestart() {
        String id;
        String trial;
        try (RunningService service = RunningService.start(home, new InstantLoader())) {
            id = service.post(RunningService.descriptor("hanging-restarted"));
            service.awaitState(id, "completed");
            trial = failedTrial(service, id);
            service.loader().allowRounds(0);
            service.calls().post(trial + "/retry", "{}");
            awaitRetry(service, trial, "running");
            service.stop();
        }
        InstantLoader mended = new InstantLoader();
        mended.mend();
        try (RunningService again = RunningService.start(home, mended)) {
            awaitRetry(again, trial, "complete");
            assertThat(mended.rounds())
                    .containsOnly(new InstantLoader.Round("hanging-restarted", ONE_WORKER))
                    .hasSize(3);
            assertThat(again.study(id).text("state")).isEqualTo("completed");
        }
    }

    @Test
    void aRetryUnderWhichTheServiceDiedTwiceIsOver() {
        String trial;
        try (RunningService service = RunningService.start(home, new InstantLoader())) {
            String id = service.post(RunningService.descriptor("hanging-deadly"));
            service.awaitState(id, "completed");
            trial = failedTrial(service, id);
            service.loader().allowRounds(0);
            service.calls().post(trial + "/retry", "{}");
            awaitRetry(service, trial, "running");
            // As two services left it that were killed in its midst; this one takes back its own beginning when it
            // stops.
            RetryStore retries = service.bean(RetryStore.class);
            Retry open = retries.next("test-machine").orElseThrow();
            retries.begin(open);
            retries.begin(open);
            service.stop();
        }
        try (RunningService again = RunningService.start(home, new InstantLoader())) {
            JsonNode over = awaitRetry(again, trial, "failed");
            assertThat(over.at("/retries/0/failure/reason").asString()).isEqualTo(FailureReason.PROBE_LOST.code());
            assertThat(again.loader().rounds()).isEmpty();
        }
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        String trial;
        try (RunningService service = RunningService.start(home, new InstantLoader())) {
            String id = service.post(RunningService.descriptor("hanging-refused"));
            service.awaitState(id, "completed");
            trial = failedTrial(service, id);
            service.loader().allowRounds(0);

            refused(
                    service,
                    "/api/v1/studies/" + id + "/trials/1/retry",
                    409,
                    "trial-not-failed",
                    "trial 1 is complete");
            refused(service, "/api/v1/studies/" + id + "/trials/99/retry", 404, "not-found", "has no trial 99");
            refused(service, "/api/v1/studies/none/trials/1/retry", 404, "not-found", "no study 'none'");
            assertThat(service.calls().post(trial + "/retry", "{}").status()).isEqualTo(202);
            refused(service, trial + "/retry", 409, "retry-pending", "to be tried again already");
            assertThat(service.calls()
                            .get("/api/v1/studies/" + id + "/trials/99/log")
                            .status())
                    .isEqualTo(404);
        }
        try (RunningService elsewhere =
                RunningService.start(home, new InstantLoader(), "loader-tuner.machine-type=other")) {
            refused(elsewhere, trial + "/retry", 409, "other-machine-type", "post the study again");
        }
    }

    @Test
    void a_value_that_is_not_a_number() {
        try (RunningService service = RunningService.start(home, new InstantLoader())) {
            String id = service.post(RunningService.descriptor(InstantLoader.ENDLESS));

            JsonNode study = service.awaitState(id, "completed").body();

            JsonNode trials = service.calls()
                    .get("/api/v1/studies/" + id + "/trials")
                    .body()
                    .path("items");
            JsonNode failed = trials.valueStream()
                    .filter(trial -> trial.at("/config/num_workers").asInt() == 1)
                    .findFirst()
                    .orElseThrow();
            assertThat(failed.path("state").asString()).isEqualTo("failed");
            assertThat(failed.path("throughput").isNull()).isTrue();
            assertThat(failed.at("/failure/message").asString()).isEqualTo("32 samples in 4.9E-324 s are no rate");
            assertThat(study.at("/recommendation/config/num_workers").asInt()).isEqualTo(2);
            // What was told of the cores is no number either, and is null in valid JSON.
            Answer whole = service.calls().get("/api/v1/studies/" + id + "/trials/1");
            assertThat(whole.body().at("/rounds/0/own_cores").isNull()).isTrue();
            assertThat(whole.raw().body()).doesNotContain("NaN", "Infinity");
        }
    }

    @Test
    void cancelling_keeps_history() {
        try (RunningService service = RunningService.start(home, new InstantLoader())) {
            service.loader().allowRounds(5);
            String id = service.post(RunningService.descriptor("cancelled"));
            service.awaitRounds(5);
            String trials = "/api/v1/studies/" + id + "/trials";
            service.calls().await(trials, RunningService.SOON, page -> rounds(service, trials) == 5);
            JsonNode before = service.calls().get(trials + "/1").body();

            Answer cancelled = service.calls().post("/api/v1/studies/" + id + "/cancel", "{}");

            assertThat(cancelled.text("state")).isEqualTo("cancelled");
            assertThat(rounds(service, trials)).isEqualTo(5);
            assertThat(service.calls().get(trials + "/1").body()).isEqualTo(before);
            assertThat(service.calls().get(trials + "/1/log").raw().body()).isNotEmpty();
            assertThat(service.calls().get(trials).body().path("items").valueStream())
                    .noneMatch(trial -> trial.path("state").asString().equals("running"));
            assertThat(cancelled
                            .body()
                            .at("/baseline/throughput/samples_per_second")
                            .asDouble())
                    .isCloseTo(500, offset(1e-6));
        }
    }

    private static int rounds(RunningService service, String trials) {
        return service.calls()
                .get(trials)
                .body()
                .path("items")
                .valueStream()
                .mapToInt(trial -> service.calls()
                        .get(trials + "/" + trial.path("number").asInt())
                        .body()
                        .path("rounds")
                        .size())
                .sum();
    }

    private static String failedTrial(RunningService service, String study) {
        String trials = "/api/v1/studies/" + study + "/trials";
        return service.calls()
                .get(trials)
                .body()
                .path("items")
                .valueStream()
                .filter(trial -> trial.path("state").asString().equals("failed"))
                .map(trial -> trials + "/" + trial.path("number").asInt())
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode awaitRetry(RunningService service, String trial, String state) {
        return service.calls()
                .await(
                        trial,
                        RunningService.SOON,
                        body -> body.at("/retries/0/state").asString("").equals(state))
                .body();
    }

    private static long hangs(RunningService service) {
        return service.loader().rounds().stream()
                .filter(round -> round.config().equals(ONE_WORKER))
                .count();
    }

    private static void refused(RunningService service, String path, int status, String type, String detail) {
        Answer answer = service.calls().post(path, "{}");
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.contentType()).startsWith("application/problem+json");
        assertThat(answer.text("type")).isEqualTo("urn:loader-tuner:problem:" + type);
        assertThat(answer.text("detail")).contains(detail);
    }
}
