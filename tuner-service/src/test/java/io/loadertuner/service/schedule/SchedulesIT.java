package io.loadertuner.service.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Schedules over REST, under a clock that is set. */
@Tag("database")
class SchedulesIT {
    private static final String SCHEDULES = "/api/v1/schedules";

    /** Of two configs, where the clock stands still. */
    private static final int ROUNDS_OF_A_CANARY = 40;

    private final SettableClock clock = new SettableClock("2026-03-27T12:00:00Z");

    @TempDir
    Path home;

    private RunningService service;

    @BeforeEach
    void start() {
        service = RunningService.start(home, new InstantLoader(), clock);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private static String body(String dataset, String more) {
        return """
                {"study": %s, "cron": "0 3 * * *", "time_zone": "Europe/Berlin"%s}
                """.formatted(RunningService.descriptor(dataset), more);
    }

    private String made(String dataset) {
        Answer answer = service.calls().post(SCHEDULES, body(dataset, ""));
        assertThat(answer.status()).as(answer.raw().body()).isEqualTo(201);
        assertThat(answer.header("Location")).isEqualTo(SCHEDULES + "/" + answer.text("id"));
        return answer.text("id");
    }

    private JsonNode schedule(String id) {
        return service.calls().get(SCHEDULES + "/" + id).body();
    }

    /** Sets the clock and has it looked at, rather than to wait for that. */
    private void at(String now) {
        clock.set(now);
        service.bean(DueRuns.class).look();
    }

    private JsonNode awaitRun(String id, int count) {
        return service.calls()
                .await(
                        SCHEDULES + "/" + id + "/runs",
                        RunningService.SOON,
                        runs -> runs.path("items").size() >= count
                                && runs.at("/items/0/state").asString().equals("done"))
                .body()
                .at("/items/0");
    }

    private JsonNode recommended(String dataset) {
        return service.calls()
                .get("/api/v1/recommendations?dataset=" + dataset + "&machine_type=test-machine")
                .body();
    }

    private String metric(String name) {
        return service.calls()
                .get("/actuator/prometheus")
                .raw()
                .body()
                .lines()
                .filter(line -> line.startsWith(name))
                .findFirst()
                .orElse("");
    }

    @Test
    void aScheduleIsMadeReadChangedAndDeleted() {
        String id = made("photos");

        JsonNode made = schedule(id);
        assertThat(made.path("next_run_at").asString()).isEqualTo("2026-03-28T02:00:00Z");
        assertThat(made.path("dataset").asString()).isEqualTo("photos");
        assertThat(made.path("machine_type").asString()).isEqualTo("test-machine");
        assertThat(made.path("canary_seconds").asInt()).isEqualTo(20);
        assertThat(made.path("last_run").isNull()).isTrue();

        Answer changed = put(id, body("photos", ", \"enabled\": false, \"jitter_seconds\": 60"));
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.body().path("next_run_at").isNull()).isTrue();
        assertThat(changed.body().path("jitter_seconds").asInt()).isEqualTo(60);
        assertThat(put(id, body("photos", "")).text("next_run_at")).isEqualTo("2026-03-28T02:00:00Z");

        Answer deleted = service.calls()
                .send(service.calls()
                        .request(SCHEDULES + "/" + id)
                        .header("Content-Type", "application/json")
                        .DELETE());
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(service.calls().get(SCHEDULES + "/" + id).status()).isEqualTo(404);
        assertThat(service.calls().get(SCHEDULES).body().path("items").size()).isZero();
        at("2026-03-30T12:00:00Z");
        assertThat(service.loader().opened()).isEmpty();
    }

    private Answer put(String id, String json) {
        return service.calls()
                .send(service.calls()
                        .request(SCHEDULES + "/" + id)
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(json)));
    }

    @Test
    void thereIsOneForEachDataset() {
        made("photos");

        Answer second = service.calls().post(SCHEDULES, body("photos", ""));

        assertThat(second.status()).isEqualTo(409);
        assertThat(second.text("type")).isEqualTo("urn:loader-tuner:problem:schedule-exists");
        assertThat(service.calls().get(SCHEDULES).body().path("items").size()).isEqualTo(1);
    }

    @Test
    void whatCannotBeScheduledIsRefusedByName() {
        List<String> bodies = List.of(
                "{\"cron\": \"0 3 * * *\"}",
                "{\"study\": " + RunningService.descriptor("a") + "}",
                "{\"study\": " + RunningService.descriptor("a") + ", \"cron\": \"daily\"}",
                body("a", ", \"canary_seconds\": 1"),
                body("a", ", \"unknown\": 1"),
                body("a", "").replace("\"num_workers\": [0, 1, 2]", "\"num_workers\": {\"min\": 5, \"max\": 1}"),
                "{\"study\": {\"name\": \"a\", \"source\": {\"kind\": \"array\", \"path\": \"/etc/hosts\"}}, \"cron\": \"0 3 * * *\"}");

        assertThat(bodies)
                .extracting(body -> service.calls().post(SCHEDULES, body))
                .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(422))
                .extracting(answer -> answer.text("field"))
                .containsExactly(
                        "study",
                        "cron",
                        "cron",
                        "canary_seconds",
                        "unknown",
                        "study.space.num_workers",
                        "study.source.path");
    }

    @Test
    void aRunTunesWhatIsNotKnownLooksAtWhatIsAndTunesAgainWhatHasDrifted() throws Exception {
        String id = made("photos");

        at("2026-03-28T02:00:01Z");
        JsonNode first = awaitRun(id, 1);
        assertThat(first.path("outcome").asString()).isEqualTo("first");
        service.awaitState(first.path("study").asString(), "completed");
        assertThat(recommended("photos").at("/config/num_workers").asInt()).isEqualTo(2);
        assertThat(schedule(id).path("next_run_at").asString()).isEqualTo("2026-03-29T01:00:00Z");

        at("2026-03-29T01:00:00Z");
        JsonNode quiet = awaitRun(id, 2);
        assertThat(quiet.path("outcome").asString()).isEqualTo("quiet");
        assertThat(quiet.at("/movement/incumbent/ratio").asDouble()).isEqualTo(1, within(1e-9));
        assertThat(quiet.path("study").isNull()).isTrue();
        assertThat(recommended("photos").path("confirmed_at").asString()).isEqualTo("2026-03-29T01:00:00Z");
        assertThat(metric("loader_tuner_drift_ratio"))
                .contains("dataset=\"photos\"")
                .endsWith(" 1.0");

        service.loader().rates(config -> config.numWorkers() == 1 ? 400L : 200L);
        service.loader().allowRounds(ROUNDS_OF_A_CANARY);
        at("2026-03-30T01:00:00Z");
        JsonNode drifted = awaitRun(id, 3);
        assertThat(drifted.path("outcome").asString()).isEqualTo("drifted");
        assertThat(drifted.at("/movement/incumbent/ratio").asDouble()).isEqualTo(200.0 / 1500, within(1e-4));
        assertThat(drifted.path("text").asString()).contains("0.13 times");
        assertThat(recommended("photos").path("stale").asBoolean()).isTrue();
        service.loader().allowAll();
        String again = drifted.path("study").asString();
        JsonNode study = service.awaitState(again, "completed").body();
        assertThat(study.at("/baseline/config/num_workers").asInt()).isEqualTo(2);
        assertThat(recommended("photos").at("/config/num_workers").asInt()).isEqualTo(1);
        assertThat(recommended("photos").path("stale").asBoolean()).isFalse();
        List<String> events = events(again);
        assertThat(events.get(0)).isEqualTo("event:drift");
        assertThat(events).containsSubsequence("event:recommendation_changed", "event:study_finished");
        assertThat(metric("loader_tuner_recommendation_changes_total")).endsWith(" 1.0");
        assertThat(metric("loader_tuner_schedule_runs_total{outcome=\"drifted\"}"))
                .endsWith(" 1.0");
    }

    private List<String> events(String study) throws Exception {
        HttpResponse<Stream<String>> stream = HttpClient.newHttpClient()
                .send(
                        service.calls()
                                .request("/api/v1/studies/" + study + "/events")
                                .build(),
                        BodyHandlers.ofLines());
        return stream.body().filter(line -> line.startsWith("event:")).toList();
    }

    @Test
    void whatIsRecommendedStaysWhereNothingIsBetterBeyondNoise() {
        String id = made("photos");
        at("2026-03-28T02:00:01Z");
        service.awaitState(awaitRun(id, 1).path("study").asString(), "completed");

        service.loader().rates(config -> 100L);
        at("2026-03-29T01:00:00Z");
        String study = awaitRun(id, 2).path("study").asString();
        JsonNode ended = service.awaitState(study, "completed").body();

        assertThat(ended.at("/recommendation/kind").asString()).isEqualTo("kept");
        assertThat(recommended("photos").at("/config/num_workers").asInt()).isEqualTo(2);
        assertThat(metric("loader_tuner_recommendation_changes_total")).endsWith(" 0.0");
    }

    @Test
    void anotherDescriptorIsTunedWithoutALook() {
        String id = made("photos");
        at("2026-03-28T02:00:01Z");
        service.awaitState(awaitRun(id, 1).path("study").asString(), "completed");
        assertThat(put(id, body("photos", "").replace("\"samples\": 10000", "\"samples\": 20000"))
                        .status())
                .isEqualTo(200);
        int rounds = service.loader().rounds().size();
        service.loader().allowRounds(0);

        at("2026-03-29T01:00:00Z");
        JsonNode run = awaitRun(id, 2);

        assertThat(run.path("outcome").asString()).isEqualTo("changed");
        assertThat(service.loader().rounds().size()).isEqualTo(rounds);
        service.loader().allowAll();
        service.awaitState(run.path("study").asString(), "completed");
    }

    @Test
    void aDatasetThatIsGoneIsToldAndTheNextTimeComes() {
        String id = made(InstantLoader.BROKEN);
        at("2026-03-28T02:00:01Z");
        JsonNode first = awaitRun(id, 1);
        service.awaitState(first.path("study").asString(), "failed");

        assertThat(schedule(id).path("next_run_at").asString()).isEqualTo("2026-03-29T01:00:00Z");
        assertThat(schedule(id).at("/last_run/outcome").asString()).isEqualTo("first");
    }

    @Test
    void timesThatWereMissedAreCaughtUpOnceAndSchedulesOutliveTheService() {
        String id = made("photos");
        service.stop();
        clock.set("2026-04-07T12:00:00Z");
        service = RunningService.start(home, new InstantLoader(), clock);

        service.awaitState(awaitRun(id, 1).path("study").asString(), "completed");

        service.bean(DueRuns.class).look();
        assertThat(service.calls()
                        .get(SCHEDULES + "/" + id + "/runs")
                        .body()
                        .path("items")
                        .size())
                .isEqualTo(1);
        assertThat(schedule(id).path("next_run_at").asString()).isEqualTo("2026-04-08T01:00:00Z");
    }

    @Test
    void itCanBeRunAtOnceAndNotTwiceAtATime() {
        String id = made("photos");
        service.awaitState(service.post(RunningService.descriptor("photos")), "completed");
        service.loader().allowRounds(0);

        Answer asked = service.calls().post(SCHEDULES + "/" + id + "/run", "");
        Answer again = service.calls().post(SCHEDULES + "/" + id + "/run", "");

        assertThat(asked.status()).isEqualTo(202);
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text("type")).isEqualTo("urn:loader-tuner:problem:schedule-busy");
        service.loader().allowAll();
        assertThat(awaitRun(id, 1).path("outcome").asString()).isEqualTo("quiet");
        assertThat(schedule(id).path("next_run_at").asString()).isEqualTo("2026-03-28T02:00:00Z");
    }

    @Test
    void aCanaryUnderWhichTheServiceDiedTwiceIsOver() {
        String id = made("photos");
        service.awaitState(service.post(RunningService.descriptor("photos")), "completed");
        JdbcClient sql = service.bean(JdbcClient.class);
        int rounds = service.loader().rounds().size();
        service.loader().allowRounds(0);
        String waiting = service.post(RunningService.descriptor("waiting"));
        service.awaitState(waiting, "running");
        service.calls().post(SCHEDULES + "/" + id + "/run", "");
        sql.sql("update schedule_run set open_attempts = 2").update();

        service.calls().post("/api/v1/studies/" + waiting + "/cancel", "");

        JsonNode run = awaitRun(id, 1);
        assertThat(run.path("outcome").asString()).isEqualTo("failed");
        assertThat(run.path("text").asString()).contains("killed 2 times");
        assertThat(service.loader().rounds().size()).isEqualTo(rounds);
    }

    @Test
    void aCanaryThatTheServiceLeftBeginsAnew() {
        String id = made("photos");
        service.awaitState(service.post(RunningService.descriptor("photos")), "completed");
        service.loader().allowRounds(2);
        service.calls().post(SCHEDULES + "/" + id + "/run", "");
        int rounds = service.loader().rounds().size();
        service.awaitRounds(rounds + 2);

        service.stop();
        service = RunningService.start(home, new InstantLoader(), clock);

        assertThat(awaitRun(id, 1).path("outcome").asString()).isEqualTo("quiet");
    }
}
