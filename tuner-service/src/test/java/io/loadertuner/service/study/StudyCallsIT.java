package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.loadertuner.core.machine.MachineInspector;
import io.loadertuner.core.replay.RecordedSurface;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Every call on studies that goes well. */
@Tag("database")
class StudyCallsIT {
    private static final String STUDIES = "/api/v1/studies";

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

    @AfterEach
    void letEverythingEnd() {
        service.loader().allowAll();
        service.calls()
                .await(
                        STUDIES + "?state=queued",
                        RunningService.SOON,
                        page -> page.path("items").isEmpty());
        service.calls()
                .await(
                        STUDIES + "?state=running",
                        RunningService.SOON,
                        page -> page.path("items").isEmpty());
    }

    @Test
    void aPostedStudyIsAcceptedAndRuns() {
        service.loader().allowRounds(0);
        Answer posted = service.calls().post(STUDIES, RunningService.descriptor("accepted"));

        assertThat(posted.status()).isEqualTo(202);
        assertThat(posted.contentType()).isEqualTo("application/json");
        String id = posted.text("id");
        assertThat(posted.header("Location")).isEqualTo(STUDIES + "/" + id);
        // It may have begun before the answer was written.
        assertThat(posted.text("state")).isIn("queued", "running");
        assertThat(posted.text("dataset")).isEqualTo("accepted");
        assertThat(posted.text("machine_type")).isEqualTo("test-machine");
        service.loader().allowAll();
        JsonNode done = service.awaitState(id, "completed").body();
        assertThat(done.path("recommendation").path("kind").asString()).isEqualTo("faster");
        assertThat(done.path("recommendation").path("id").asString()).isNotEmpty();
        assertThat(done.path("ended_at").asString()).isNotEmpty();
        assertThat(done.path("failure").isNull()).isTrue();
    }

    @Test
    void aStudyAndItsTrialsHaveTheSettledNames() {
        // One worker fails, and three are not allowed.
        String id = service.post("""
                {"name": "hanging-by-name", "version": "7", "source": {"kind": "synthetic", "samples": 10000},
                 "step": {"milliseconds": 1}, "constraints": {"max_num_workers": 2},
                 "space": {"num_workers": [0, 1, 2, 3], "prefetch_factor": [2], "batch_size": [32]}}""");

        JsonNode study = service.awaitState(id, "completed").body();
        JsonNode trials = service.calls().get(STUDIES + "/" + id + "/trials").body();

        assertNames(
                study,
                "id state dataset version loader device machine_type progress baseline objective recommendation"
                        + " resolvable_difference tie_set best_by_batch_size explanation skipped bottleneck findings"
                        + " failure stopped_by rejected_rounds notes facts created_at ended_at");
        assertNames(study.at("/progress"), "trials trials_left seconds_used seconds_left");
        assertNames(study.at("/baseline"), "trial config throughput");
        assertNames(
                study.at("/baseline/config"),
                "num_workers prefetch_factor pin_memory batch_size persistent_workers non_blocking"
                        + " multiprocessing_context");
        assertNames(study.at("/baseline/throughput"), "samples_per_second low high rounds");
        assertNames(study.at("/recommendation"), "id trial kind config throughput speedup reason epoch");
        assertNames(study.at("/recommendation/speedup"), "ratio low high rounds");
        assertNames(study.at("/best_by_batch_size/0"), "batch_size trial");
        assertNames(study.at("/explanation/0"), "setting from to ratio decision text");
        assertNames(study.at("/skipped/0"), "config reason");
        assertNames(study.at("/bottleneck"), "verdict text");
        assertThat(study.at("/tie_set/0").isInt()).isTrue();
        assertThat(study.at("/resolvable_difference").isDouble()).isTrue();
        assertThat(study.at("/objective").asString()).isEqualTo("with_step");
        assertNames(trials, "items next_cursor");
        for (JsonNode trial : trials.get("items")) {
            assertNames(
                    trial,
                    "number state config device throughput unstable startup_seconds first_batch_seconds"
                            + " predicted_memory_bytes predicted_shared_memory_bytes peak_memory_bytes"
                            + " shared_memory_bytes gpu_memory_bytes pinned_memory_bytes gpu_utilization pickled_bytes"
                            + " waits epoch_gap_seconds warnings ranks failure");
            assertThat(trial.get("device").asString()).isEqualTo("cpu");
        }
        JsonNode failed = trials.at("/items")
                .valueStream()
                .filter(trial -> trial.get("state").asString().equals("failed"))
                .findFirst()
                .orElseThrow();
        assertNames(failed.get("failure"), "reason message advice details");
        JsonNode one = service.calls()
                .get(STUDIES + "/" + id + "/trials/" + failed.get("number").asInt())
                .body();
        Set<String> namesOfOne = new TreeSet<>(failed.propertyNames());
        namesOfOne.addAll(List.of("rounds", "retries"));
        assertThat(one.propertyNames()).containsExactlyInAnyOrderElementsOf(namesOfOne);
    }

    private static void assertNames(JsonNode object, String names) {
        assertThat(object.propertyNames()).containsExactlyInAnyOrder(names.split(" "));
    }

    @Test
    void aStudySaysWhereItsBatchesGoBeforeItBeginsIfThatIsCertain() {
        service.loader().allowRounds(0);
        String running = service.post(RunningService.descriptor("before-the-device"));
        service.awaitState(running, "running");
        JsonNode queued =
                service.study(service.post(RunningService.descriptor("device"))).body();

        assertThat(queued.path("state").asString()).isEqualTo("queued");
        assertThat(queued.path("device"))
                .hasToString(MachineInspector.live().inspect().gpus().isEmpty() ? "\"cpu\"" : "null");
    }

    @Test
    void aKeyQueuesOneStudyHoweverOftenItIsPosted() {
        Answer first = postWithKey("key-1", RunningService.descriptor("keyed"));
        Answer again = postWithKey("key-1", RunningService.descriptor("keyed"));
        service.awaitState(first.text("id"), "completed");
        Answer late = postWithKey("key-1", RunningService.descriptor("keyed"));
        Answer other = postWithKey("key-1", RunningService.descriptor("keyed-otherwise"));

        assertThat(again.text("id")).isEqualTo(first.text("id"));
        assertThat(late.status()).isEqualTo(202);
        assertThat(late.text("id")).isEqualTo(first.text("id"));
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.text("type")).endsWith(":idempotency-key-reused");
        assertThat(other.text("detail")).contains(first.text("id"));
    }

    @Test
    void aKeyIsThatOfItsStudyAlsoWhereAnEarlierVersionStoredTheRequest() {
        Answer first = postWithKey("key-3", RunningService.descriptor("upgraded"));
        JdbcClient database = service.bean(JdbcClient.class);
        String stored = database.sql("select request from study where id = :id")
                .param("id", first.text("id"))
                .query(String.class)
                .single();
        // Before there was an order of cost, a request had none.
        String earlier = stored.replaceFirst("\"cost_order\":\\[[^]]*],", "");
        assertThat(earlier).isNotEqualTo(stored);
        database.sql("update study set request = :request where id = :id")
                .param("request", earlier)
                .param("id", first.text("id"))
                .update();

        Answer again = postWithKey("key-3", RunningService.descriptor("upgraded"));

        assertThat(again.status()).isEqualTo(202);
        assertThat(again.text("id")).isEqualTo(first.text("id"));
    }

    @Test
    void onlyACallThatWaitsIsAnsweredByWhetherTheStudyIsOver() {
        String json = RunningService.descriptor("over-at-once");
        String id = postWithKey("key-2", json).text("id");
        service.awaitState(id, "completed");

        Answer withoutWaiting = postWithKey("key-2", json);
        Answer waiting = postWithKey("key-2", json, "?wait=0");

        assertThat(withoutWaiting.status()).isEqualTo(202);
        assertThat(withoutWaiting.text("state")).isEqualTo("completed");
        assertThat(waiting.status()).isEqualTo(200);
        assertThat(waiting.body()).isEqualTo(withoutWaiting.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "longer"})
    void aKeyThatIsNoneIsRefused(String key) {
        Answer answer =
                postWithKey(key.equals("longer") ? "x".repeat(201) : key, RunningService.descriptor("badly-keyed"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("field")).isEqualTo("Idempotency-Key");
    }

    @Test
    void aParameterThatACallDoesNotHaveIsNamed() {
        for (String address : List.of(STUDIES + "?states=queued", "/api/v1/machine-types?states=queued")) {
            Answer answer = service.calls().get(address);

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.text("type")).endsWith(":invalid-parameter");
            assertThat(answer.text("field")).isEqualTo("states");
        }
    }

    private static Answer postWithKey(String key, String json) {
        return postWithKey(key, json, "");
    }

    private static Answer postWithKey(String key, String json, String query) {
        return service.calls()
                .send(service.calls()
                        .request(STUDIES + query)
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", key)
                        .POST(BodyPublishers.ofString(json)));
    }

    @Test
    void aCallThatWaitsAnswersTheStudyWhenItIsDone() {
        Answer answer = service.calls().post(STUDIES + "?wait=30", RunningService.descriptor("waited-for"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("state")).isEqualTo("completed");
    }

    @Test
    void aCallThatHasWaitedLongEnoughAnswersTheStudyAsItStands() {
        service.loader().allowRounds(1);

        long begun = System.nanoTime();
        Answer answer = service.calls().post(STUDIES + "?wait=1", RunningService.descriptor("slow"));

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.text("state")).isIn("queued", "running");
        assertThat(answer.header("Location")).isNotEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isBetween(Duration.ofMillis(900), Duration.ofSeconds(10));
    }

    @Test
    void studiesRunOneAtATimeInTheOrderOfPosting() {
        service.loader().allowRounds(0);
        String first = service.post(RunningService.descriptor("order-1"));
        service.awaitState(first, "running");
        String second = service.post(RunningService.descriptor("order-2"));
        String third = service.post(RunningService.descriptor("order-3"));

        assertThat(service.study(second).text("state")).isEqualTo("queued");
        assertThat(service.study(third).text("state")).isEqualTo("queued");
        service.loader().allowAll();

        service.awaitState(third, "completed");
        List<String> order = service.loader().rounds().stream()
                .map(InstantLoader.Round::dataset)
                .filter(dataset -> dataset.startsWith("order-"))
                .distinct()
                .toList();
        assertThat(order).containsExactly("order-1", "order-2", "order-3");
        // The end of a study is stored before its processes have ended.
        Awaitility.await()
                .atMost(RunningService.SOON)
                .until(() -> service.loader().openSessions() == 0);
    }

    @Test
    void studiesAreListedNewestFirstInPages() {
        List<String> posted = new ArrayList<>();
        for (int number = 0; number < 5; number++) {
            posted.add(0, service.post(RunningService.descriptor("listed")));
        }

        List<String> listed = new ArrayList<>();
        String cursor = "";
        do {
            Answer page = service.calls().get(STUDIES + "?dataset=listed&limit=2" + cursor);
            page.body()
                    .path("items")
                    .forEach(study -> listed.add(study.path("id").asString()));
            cursor = page.body().path("next_cursor").isNull() ? "" : "&cursor=" + page.text("next_cursor");
        } while (!cursor.isEmpty());

        assertThat(listed).isEqualTo(posted);
    }

    @Test
    void aListIsFilteredByStateAndMachineType() {
        String id = service.post(RunningService.descriptor("filtered"));
        service.awaitState(id, "completed");

        assertThat(idsOf("?dataset=filtered&state=completed&machine_type=test-machine"))
                .containsExactly(id);
        assertThat(idsOf("?dataset=filtered&state=failed")).isEmpty();
        assertThat(idsOf("?dataset=filtered&machine_type=another")).isEmpty();
    }

    @Test
    void trialsAreListedInPages() {
        String id = service.post(RunningService.descriptor("trials"));
        JsonNode study = service.awaitState(id, "completed").body();

        Answer first = service.calls().get(STUDIES + "/" + id + "/trials?limit=1");
        Answer second =
                service.calls().get(STUDIES + "/" + id + "/trials?limit=200&cursor=" + first.text("next_cursor"));

        assertThat(first.body().path("items").get(0).path("number").asInt()).isEqualTo(1);
        assertThat(second.body().path("items").get(0).path("number").asInt()).isEqualTo(2);
        assertThat(second.body().path("next_cursor").isNull()).isTrue();
        assertThat(1 + second.body().path("items").size())
                .isEqualTo(study.path("progress").path("trials").asInt());
    }

    @Test
    void aTrialIsAnsweredWithItsRoundsAndTheArrivalsOfTheirBatches() {
        String id = service.post(RunningService.descriptor("trial"));
        service.awaitState(id, "completed");

        JsonNode trial = service.calls().get(STUDIES + "/" + id + "/trials/1").body();

        assertThat(trial.path("number").asInt()).isEqualTo(1);
        assertThat(trial.path("state").asString()).isEqualTo("complete");
        assertThat(trial.path("config").path("num_workers").asInt()).isZero();
        JsonNode round = trial.path("rounds").get(0);
        assertThat(round.path("phase").asString()).isEqualTo("baseline");
        assertThat(round.path("samples_per_second").asDouble()).isEqualTo(500, offset(1.0));
        assertThat(round.path("arrivals_micros").size()).isEqualTo(41);
        assertThat(round.path("arrivals_micros").get(0).asLong()).isEqualTo(64_000);
        assertThat(round.path("window").path("last").asInt()).isEqualTo(40);
        assertThat(trial.path("throughput").path("rounds").asInt())
                .isEqualTo(trial.path("rounds").size());
    }

    @Test
    void aStudyIsExportedAsASurfaceForReplay() {
        String id = service.post(RunningService.descriptor("exported"));
        service.awaitState(id, "completed");

        Answer answer = service.calls().get(STUDIES + "/" + id + "/surface.csv");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.contentType()).startsWith("text/csv");
        RecordedSurface surface =
                RecordedSurface.read(answer.raw().body().lines().toList(), "exported");
        LoaderConfig none = LoaderConfig.of(0, 2, false, 32, true, null);
        // 500 samples a second without workers, by the loader's construction.
        assertThat(surface.samplesPerSecond(none)).isEqualTo(500, offset(1.0));
        assertThat(surface.space().numWorkers()).contains(0, 1, 2);
        assertThat(service.calls().get(STUDIES + "/no-such-study/surface.csv").status())
                .isEqualTo(404);
    }

    @Test
    void trialsAreExportedAsATable() {
        String id = service.post(RunningService.descriptor("tabled"));
        service.awaitState(id, "completed");

        Answer answer = service.calls().get(STUDIES + "/" + id + "/trials.csv");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.contentType()).startsWith("text/csv");
        List<String> lines = answer.raw().body().lines().toList();
        JsonNode trials =
                service.calls().get(STUDIES + "/" + id + "/trials").body().path("items");
        assertThat(lines).hasSize(trials.size() + 1);
        List<String> columns = List.of(lines.get(0).split(",", -1));
        for (int index = 0; index < trials.size(); index++) {
            JsonNode trial = trials.get(index);
            List<String> values = List.of(lines.get(index + 1).split(",", -1));
            assertThat(values.get(columns.indexOf("number")))
                    .isEqualTo(trial.path("number").asString());
            assertThat(values.get(columns.indexOf("num_workers")))
                    .isEqualTo(trial.path("config").path("num_workers").asString());
            assertThat(Double.parseDouble(values.get(columns.indexOf("samples_per_second"))))
                    .isEqualTo(
                            trial.path("throughput").path("samples_per_second").asDouble());
        }
        assertThat(service.calls().get(STUDIES + "/no-such-study/trials.csv").status())
                .isEqualTo(404);
    }

    @Test
    void aStudyThatDidNotComeToItsEndIsExportedAsFarAsItCame() {
        service.loader().allowRounds(2);
        String cancelled = service.post(RunningService.descriptor("cut-short"));
        service.calls()
                .await(
                        STUDIES + "/" + cancelled + "/trials/1",
                        RunningService.SOON,
                        trial -> trial.path("rounds").size() == 2);
        service.calls().post(STUDIES + "/" + cancelled + "/cancel", "");
        service.loader().allowAll();
        String failed = service.post(RunningService.descriptor(InstantLoader.BROKEN));
        service.awaitState(failed, "failed");

        assertThat(surface(cancelled)).hasSize(2).last().asString().startsWith("cut-short,0,0,32,false,");
        assertThat(RecordedSurface.read(surface(cancelled), "cut-short")
                        .recordedNoise(LoaderConfig.of(0, 2, false, 32, true, null)))
                .hasValueSatisfying(noise -> assertThat(noise.rounds()).isEqualTo(2));
        assertThat(surface(failed)).hasSize(1);
    }

    private static List<String> surface(String id) {
        Answer answer = service.calls().get(STUDIES + "/" + id + "/surface.csv");
        assertThat(answer.status()).isEqualTo(200);
        return answer.raw().body().lines().toList();
    }

    @Test
    void timeGoesOnWhileARoundIsBeingMeasured() {
        service.loader().allowRounds(2);
        String id = service.post(RunningService.descriptor("timed"));
        service.calls()
                .await(
                        STUDIES + "/" + id,
                        RunningService.SOON,
                        study -> study.path("progress").path("trials").asInt() == 1);
        double before =
                service.study(id).body().path("progress").path("seconds_used").asDouble();

        Answer later = service.calls()
                .await(
                        STUDIES + "/" + id,
                        RunningService.SOON,
                        study -> study.path("progress").path("seconds_used").asDouble() > before + 0.1);

        JsonNode progress = later.body().path("progress");
        assertThat(later.text("state")).isEqualTo("running");
        assertThat(progress.path("trials").asInt()).isEqualTo(1);
        assertThat(progress.path("trials_left").asInt()).isEqualTo(60 - 1);
        assertThat(progress.path("seconds_used").asDouble()
                        + progress.path("seconds_left").asDouble())
                .isEqualTo(300, offset(1e-6));
        service.calls().post(STUDIES + "/" + id + "/cancel", "");
        JsonNode ended = service.study(id).body().path("progress");
        assertThat(ended.path("seconds_used").asDouble())
                .as("the round that was cut short took time too")
                .isGreaterThanOrEqualTo(progress.path("seconds_used").asDouble());
        assertThat(ended.path("seconds_left").asDouble()).isZero();
        assertThat(ended.path("trials_left").asInt()).isZero();
        service.loader().allowAll();
    }

    @Test
    void aRunningStudyIsCancelledAndKeepsWhatWasMeasured() {
        service.loader().allowRounds(2);
        String id = service.post(RunningService.descriptor("cancelled"));
        service.calls()
                .await(
                        STUDIES + "/" + id + "/trials",
                        RunningService.SOON,
                        page -> page.path("items").size() > 0);

        long begun = System.nanoTime();
        Answer cancelled = service.calls().post(STUDIES + "/" + id + "/cancel", "");

        assertThat(cancelled.status()).isEqualTo(200);
        assertThat(cancelled.text("state")).isEqualTo("cancelled");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
        assertThat(cancelled.body().path("failure").path("reason").asString()).isEqualTo("cancelled");
        assertThat(service.calls().get(STUDIES + "/" + id + "/trials/1").status())
                .isEqualTo(200);
        Awaitility.await()
                .atMost(RunningService.SOON)
                .until(() -> service.loader().openSessions() == 0);
    }

    @Test
    void cancellingTwiceAnswersTheSame() {
        service.loader().allowRounds(0);
        String id = service.post(RunningService.descriptor("cancelled-twice"));
        Answer once = service.calls().post(STUDIES + "/" + id + "/cancel", "{}");

        Answer twice = service.calls().post(STUDIES + "/" + id + "/cancel", "{}");

        assertThat(twice.status()).isEqualTo(200);
        assertThat(twice.body()).isEqualTo(once.body());
    }

    @Test
    void aQueuedStudyThatIsCancelledNeverRuns() {
        service.loader().allowRounds(0);
        String running = service.post(RunningService.descriptor("before"));
        service.awaitState(running, "running");
        String queued = service.post(RunningService.descriptor("never-run"));

        Answer cancelled = service.calls().post(STUDIES + "/" + queued + "/cancel", "{}");
        service.loader().allowAll();
        service.awaitState(running, "completed");

        assertThat(cancelled.status()).isEqualTo(200);
        assertThat(service.study(queued).text("state")).isEqualTo("cancelled");
        assertThat(service.loader().opened()).noneMatch(opened -> opened.name().equals("never-run"));
    }

    @Test
    void aStudyOfABrokenDatasetFailsWithItsReasonAndTheNextOneRuns() {
        String broken = service.post(RunningService.descriptor(InstantLoader.BROKEN));
        String next = service.post(RunningService.descriptor("next"));

        JsonNode failed = service.awaitState(broken, "failed").body();
        service.awaitState(next, "completed");

        assertThat(failed.path("failure").path("reason").asString()).isEqualTo("dataset_error");
        assertThat(failed.path("failure").path("advice").asString()).isNotEmpty();
    }

    @Test
    void anUnexpectedErrorFailsTheStudyAndTheNextOneRuns() {
        String faulty = service.post(RunningService.descriptor(InstantLoader.FAULTY));
        String next = service.post(RunningService.descriptor("after-a-fault"));

        JsonNode failed = service.awaitState(faulty, "failed").body();
        service.awaitState(next, "completed");

        assertThat(failed.path("failure").path("reason").asString()).isEqualTo("runner_error");
    }

    @Test
    void aDescriptorIsCheckedWithoutAStudy() {
        int before = service.calls()
                .get(STUDIES + "?dataset=checked")
                .body()
                .path("items")
                .size();

        Answer facts = service.calls().post("/api/v1/descriptors/check", RunningService.descriptor("checked"));

        assertThat(facts.status()).isEqualTo(200);
        assertThat(facts.body().path("length").asLong()).isEqualTo(10_000);
        assertThat(facts.body().path("sample").get(0).path("shape").toString()).isEqualTo("[3,8,8]");
        assertThat(facts.body().path("batch_bytes").asLong()).isEqualTo(768 * 32);
        assertThat(before).isZero();
        assertThat(idsOf("?dataset=checked")).isEmpty();
    }

    @Test
    void aBodyThatComesInPiecesIsRead() {
        byte[] body = RunningService.descriptor("in-pieces").getBytes(StandardCharsets.UTF_8);

        Answer answer = service.calls()
                .send(service.calls()
                        .request(STUDIES)
                        .header("Content-Type", "application/json; charset=utf-8")
                        .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))));

        assertThat(answer.status()).isEqualTo(202);
    }

    private static List<String> idsOf(String query) {
        List<String> ids = new ArrayList<>();
        service.calls()
                .get(STUDIES + query)
                .body()
                .path("items")
                .forEach(study -> ids.add(study.path("id").asString()));
        return ids;
    }
}
