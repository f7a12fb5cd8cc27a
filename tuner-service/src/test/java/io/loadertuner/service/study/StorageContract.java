package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.ProcessLog;
import io.loadertuner.core.loader.RankMeasurement;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.Symptoms;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.measure.MeasuredWindow;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Phase;
import io.loadertuner.core.tuning.FailureRecord;
import io.loadertuner.core.tuning.KnownHang;
import io.loadertuner.core.tuning.RoundRecord;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.core.tuning.TrialRecord;
import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.replica.LeaseLostException;
import io.loadertuner.service.store.JsonText;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What the service needs of its database, whichever it is. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StorageContract {
    private static final Instant NOW = Instant.parse("2026-11-30T12:34:56.789012Z");
    private static final LoaderConfig CONFIG = LoaderConfig.of(2, 4, false, 64, true, null);

    private String[] properties = new String[0];
    private RunningService service;
    private StudyStore studies;
    private TrialStore trials;

    int replicas() {
        return service.bean(JdbcClient.class)
                .sql("select count(*) from replica where id <> 'other'")
                .query(Integer.class)
                .single();
    }

    /** Properties that lead to an empty database. */
    abstract String[] database(Path home);

    String[] properties() {
        return properties;
    }

    @BeforeAll
    void start(@TempDir Path home) {
        properties = database(home);
        service = RunningService.start(home, new InstantLoader(), properties);
        studies = service.bean(StudyStore.class);
        trials = service.bean(TrialStore.class);
    }

    @AfterAll
    void stop() {
        service.close();
    }

    @Test
    void aStudyIsFoundAsItWasAdded() {
        StudyRequest request = request("päper+photos", "there");

        String id = add(request);

        StoredStudy found = studies.find(id).orElseThrow();
        assertThat(found.request()).isEqualTo(request);
        assertThat(found.report()).isEqualTo(StudyReport.queued(id, request, "cpu"));
        assertThat(found.state()).isEqualTo(StudyState.QUEUED);
        assertThat(found.createdAt()).isEqualTo(NOW);
        assertThat(found.endedAt()).isNull();
        assertThat(studies.find("unknown")).isEmpty();
    }

    @Test
    void aStudyIsItsRunnersUntilThatOneLivesNoMore() {
        JdbcClient database = service.bean(JdbcClient.class);
        String id = add(request("held", "held-type"));
        database.sql("insert into replica (id, lease_until) values ('other', current_timestamp + interval '1' hour)")
                .update();
        database.sql("update study set runner = 'other' where id = :id")
                .param("id", id)
                .update();

        assertThat(studies.next("held-type")).isEmpty();
        assertThat(studies.claim(id)).isFalse();
        assertThat(studies.isHeld(id)).isFalse();
        assertThatThrownBy(() -> studies.requireHeld(id)).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> studies.requireFree(id)).isInstanceOf(LeaseLostException.class);

        database.sql("update replica set lease_until = current_timestamp - interval '1' second where id = 'other'")
                .update();

        assertThat(studies.next("held-type").orElseThrow().id()).isEqualTo(id);
        studies.requireFree(id);
        assertThatThrownBy(() -> studies.requireHeld(id)).isInstanceOf(LeaseLostException.class);
        assertThat(studies.claim(id)).isTrue();
        studies.requireHeld(id);
        studies.handBack(id);
        assertThatThrownBy(() -> studies.requireHeld(id)).isInstanceOf(LeaseLostException.class);
        end(id, StudyState.CANCELLED);
        assertThat(studies.claim(id)).as("when it is over").isFalse();
        assertThatThrownBy(() -> studies.requireFree(id)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void theStudyThatWasCutOffIsNextThenTheOnePostedFirst() {
        String first = add(request("a", "next"));
        String second = add(request("b", "next"));
        add(request("c", "elsewhere"));

        assertThat(studies.next("next").orElseThrow().id()).isEqualTo(first);
        assertThat(studies.begin(second, NOW)).as("before it is claimed").isFalse();
        assertThat(studies.claim(second)).isTrue();
        assertThat(studies.begin(second, NOW)).isTrue();
        assertThat(studies.next("next").orElseThrow().id()).isEqualTo(second);
        end(second, StudyState.CANCELLED);
        assertThat(studies.begin(second, NOW)).isFalse();
        assertThat(studies.next("next").orElseThrow().id()).isEqualTo(first);
        end(first, StudyState.FAILED);
        assertThat(studies.next("next")).isEmpty();
    }

    @Test
    void studiesAreListedNewestFirstByAnyFilter() {
        String first = add(request("listed", "there"));
        String second = add(request("listed", "there"));
        String third = add(request("listed", "over-there"));
        end(second, StudyState.CANCELLED);

        assertThat(ids(new StudyFilter("listed", null, null), null, 10)).containsExactly(third, second, first);
        assertThat(ids(new StudyFilter("listed", null, null), null, 2)).containsExactly(third, second);
        long place = studies.find(second).orElseThrow().posted();
        assertThat(ids(new StudyFilter("listed", null, null), place, 2)).containsExactly(first);
        assertThat(ids(new StudyFilter("listed", "there", null), null, 10)).containsExactly(second, first);
        assertThat(ids(new StudyFilter("listed", "there", StudyState.QUEUED), null, 10))
                .containsExactly(first);
        assertThat(ids(StudyFilter.ANY, null, 1)).hasSize(1);
    }

    @Test
    void theMomentOfAStudysProgressIsKeptWhileItIsMeasured() {
        String id = add(request("timed", "timing"));
        assertThat(studies.find(id).orElseThrow().progressAt()).as("queued").isNull();

        studies.claim(id);
        studies.begin(id, NOW);
        assertThat(studies.find(id).orElseThrow().progressAt()).as("begun").isEqualTo(NOW);
        studies.report(running(id), NOW.plusSeconds(7));
        assertThat(studies.find(id).orElseThrow().progressAt()).as("reported").isEqualTo(NOW.plusSeconds(7));
        studies.rest(id);
        assertThat(studies.find(id).orElseThrow().progressAt()).as("cut off").isNull();
        studies.begin(id, NOW.plusSeconds(99));
        assertThat(studies.find(id).orElseThrow().progressAt()).as("goes on").isEqualTo(NOW.plusSeconds(99));
        end(id, StudyState.CANCELLED);
        assertThat(studies.find(id).orElseThrow().progressAt()).as("over").isNull();
    }

    @Test
    void theEndOfAStudyIsStoredWithItsTime() {
        String id = add(request("ended", "there"));

        end(id, StudyState.CANCELLED);

        StoredStudy ended = studies.find(id).orElseThrow();
        assertThat(ended.state()).isEqualTo(StudyState.CANCELLED);
        assertThat(ended.endedAt()).isEqualTo(NOW);
        assertThat(ended.report().failure()).isEqualTo(TrialFailure.of(FailureReason.CANCELLED, "enough"));
    }

    @Test
    void trialsKeepTheirRoundsWithEveryArrival() {
        String id = add(request("trials", "there"));
        RoundRecord first = round(1);
        RoundRecord second = round(2);

        trials.begun(id, 1, CONFIG);
        trials.measured(id, 1, first, arrivals(50_000));
        trials.begun(id, 2, LoaderConfig.of(0, 2, false, 64, true, null));
        trials.begun(id, 1, CONFIG);
        trials.measured(id, 1, second, arrivals(3));

        List<TrialRecord> all = trials.all(id);
        assertThat(all).hasSize(2);
        assertThat(all.get(0)).isEqualTo(new TrialRecord(1, CONFIG, 0, List.of(first, second), null));
        assertThat(all.get(1).openAttempts()).isEqualTo(1);
        assertThat(trials.find(id, 1)).contains(all.get(0));
        assertThat(trials.find(id, 3)).isEmpty();
        assertThat(trials.after(id, 1, 5)).containsExactly(all.get(1));
        assertThat(trials.arrivals(id, 1)).containsExactly(arrivals(50_000), arrivals(3));
        assertThat(trials.arrivals(id, 2)).isEmpty();
    }

    @Test
    void aRoundThatAnEarlierVersionStoredIsReadAgain() {
        String id = add(request("earlier", "there"));
        RoundRecord round = round(1);
        trials.begun(id, 1, CONFIG);
        trials.measured(id, 1, round, arrivals(30));
        ObjectNode record = JsonText.tree(round);
        ((ObjectNode) record.at("/measurement/window")).remove("seconds");

        service.bean(JdbcClient.class)
                .sql("update round set record = :record where study_id = :id")
                .param("record", JsonText.of(record))
                .param("id", id)
                .update();

        assertThat(trials.all(id)).containsExactly(new TrialRecord(1, CONFIG, 0, List.of(round), null));
    }

    @Test
    void aFailedTrialKeepsItsEvidence() {
        String id = add(request("failed", "there"));
        FailureRecord failure = new FailureRecord(
                Phase.WORKERS,
                1,
                TrialFailure.of(FailureReason.DATASET_ERROR, "an error\0 of \"odd\" signs: äß漢", Map.of("worker", 1)),
                1.5,
                20.25);

        trials.begun(id, 1, CONFIG);
        trials.failed(id, 1, failure);

        assertThat(trials.all(id)).containsExactly(new TrialRecord(1, CONFIG, 0, List.of(), failure));
    }

    @Test
    void aTrialKeepsTheBeginningAndTheEndOfWhatItPrinted() {
        String id = add(request("talkative", "there"));
        trials.begun(id, 1, CONFIG);
        LogStore logs = service.bean(LogStore.class);

        assertThat(logs.find(id, 1)).isEmpty();
        logs.append(id, 1, ProcessLog.of("begin\0 äß漢 \n"));
        logs.append(id, 1, ProcessLog.of("x".repeat(100_000)));
        logs.append(id, 1, ProcessLog.of("end\n"));

        ProcessLog kept = logs.find(id, 1).orElseThrow();
        assertThat(kept.text()).startsWith("begin\0 äß漢 \nxx").endsWith("xxend\n");
        // begin, NUL, a blank, äß in two bytes each, 漢 in three, a blank and a line break; 64 KiB of all that are kept.
        assertThat(kept.leftOutBytes()).isEqualTo(16 + 100_000 + 4 - 65_536);
        trials.abandoned(id, 1);
        assertThat(logs.find(id, 1)).as("goes with its trial").isEmpty();
    }

    @Test
    void aRetryWaitsForItsTurnAndKeepsWhatCameOfIt() {
        String type = "retrying";
        String id = add(request("retried", type));
        trials.begun(id, 1, CONFIG);
        trials.failed(id, 1, hang());
        RetryStore retries = service.bean(RetryStore.class);

        assertThat(retries.add(id, 1, NOW)).isTrue();
        assertThat(retries.add(id, 1, NOW)).as("one at a time").isFalse();
        assertThat(retries.add(id, 7, NOW)).as("of a trial that is there").isFalse();
        Retry queued = retries.next(type).orElseThrow();
        assertThat(retries.next("another-type")).isEmpty();
        assertThat(queued)
                .isEqualTo(new Retry(queued.asked(), id, 1, Retry.State.QUEUED, 0, List.of(), null, NOW, null));
        assertThat(retries.claim(queued)).isTrue();
        retries.begin(queued);
        assertThat(retries.next(type).orElseThrow().openAttempts()).isEqualTo(1);
        retries.suspend(queued);
        assertThat(retries.next(type)).contains(queued);
        retries.begin(queued);
        retries.end(queued, List.of(round(1)), null, NOW);
        assertThat(retries.next(type)).isEmpty();
        assertThat(retries.add(id, 1, NOW)).as("again after it is over").isTrue();
        retries.end(retries.next(type).orElseThrow(), List.of(), hang(), NOW);

        assertThat(retries.ofTrial(id, 1))
                .extracting(Retry::state, Retry::rounds, Retry::failure, Retry::endedAt)
                .containsExactly(
                        tuple(Retry.State.COMPLETE, List.of(round(1)), null, NOW),
                        tuple(Retry.State.FAILED, List.of(), hang(), NOW));
    }

    @Test
    void aHangIsKnownToStudiesOfTheSameDescriptorUntilTheConfigWorks() {
        HangStore hangs = service.bean(HangStore.class);
        StudyRequest request = request("known", "hanging-type");
        String id = add(request);
        trials.begun(id, 1, CONFIG);
        trials.failed(id, 1, hang());
        trials.begun(id, 2, LoaderConfig.of(4, 4, false, 64, true, null));
        trials.failed(
                id,
                2,
                new FailureRecord(Phase.WORKERS, 1, TrialFailure.of(FailureReason.WORKER_CRASHED, "SIGSEGV"), 1, 2));

        assertThat(hangs.hung(request.descriptor(), "hanging-type"))
                .containsExactly(new KnownHang(CONFIG, FailureReason.TIMED_OUT, id, 1));
        assertThat(hangs.hung(request.descriptor(), "another-type")).isEmpty();
        assertThat(hangs.hung(request("unknown", "hanging-type").descriptor(), "hanging-type"))
                .isEmpty();
        StudyRequest other = request.withSource(new Source.Synthetic(7, null, 0, 0, 0));
        assertThat(hangs.hung(other.descriptor(), "hanging-type"))
                .as("other data")
                .isEmpty();

        RetryStore retries = service.bean(RetryStore.class);
        retries.add(id, 1, NOW);
        Retry failing = retries.next("hanging-type").orElseThrow();
        retries.end(failing, List.of(), hang(), NOW);
        assertThat(hangs.hung(request.descriptor(), "hanging-type")).hasSize(1);
        retries.add(id, 1, NOW);
        retries.end(retries.next("hanging-type").orElseThrow(), List.of(round(1)), null, NOW);
        assertThat(hangs.hung(request.descriptor(), "hanging-type")).isEmpty();

        String again = add(request);
        trials.begun(again, 5, CONFIG);
        trials.failed(again, 5, hang());
        assertThat(hangs.hung(request.descriptor(), "hanging-type"))
                .containsExactly(new KnownHang(CONFIG, FailureReason.TIMED_OUT, again, 5));
        String third = add(request);
        trials.begun(third, 1, CONFIG);
        trials.measured(third, 1, round(1), arrivals(3));
        assertThat(hangs.hung(request.descriptor(), "hanging-type")).isEmpty();
    }

    @Test
    void aRetryThatWorkedSpeaksForTheConfigAgainstOlderHangsToo() {
        StudyRequest request = request("twice", "twice-type");
        String older = add(request);
        trials.begun(older, 1, CONFIG);
        trials.failed(older, 1, hang());
        String newer = add(request);
        trials.begun(newer, 1, CONFIG);
        trials.failed(newer, 1, hang());
        RetryStore retries = service.bean(RetryStore.class);

        retries.add(newer, 1, NOW);
        retries.end(retries.next("twice-type").orElseThrow(), List.of(round(1)), null, NOW);

        assertThat(service.bean(HangStore.class).hung(request.descriptor(), "twice-type"))
                .isEmpty();
    }

    @Test
    void aStudyWhoseDataHungWithoutWorkersSaysNothingOfItsConfigs() {
        StudyRequest request = request("outage", "outage-type");
        String id = add(request);
        trials.begun(id, 1, LoaderConfig.of(0, 2, false, 64, true, null));
        trials.failed(id, 1, hang());
        trials.begun(id, 2, CONFIG);
        trials.failed(id, 2, hang());

        assertThat(service.bean(HangStore.class).hung(request.descriptor(), "outage-type"))
                .isEmpty();
    }

    @Test
    void ofManyWhoAskAtOnceForTheSameRetryOneIsHeard() throws Exception {
        String id = add(request("crowd", "crowd-type"));
        trials.begun(id, 1, CONFIG);
        trials.failed(id, 1, hang());
        RetryStore retries = service.bean(RetryStore.class);
        CyclicBarrier together = new CyclicBarrier(8);
        List<Callable<Boolean>> asking = Collections.nCopies(8, () -> {
            together.await();
            return retries.add(id, 1, NOW);
        });
        ExecutorService crowd = Executors.newFixedThreadPool(8);
        try {
            List<Boolean> heard = new ArrayList<>();
            for (Future<Boolean> answer : crowd.invokeAll(asking)) {
                heard.add(answer.get());
            }
            assertThat(heard).filteredOn(each -> each).hasSize(1);
        } finally {
            crowd.shutdownNow();
        }
        assertThat(retries.ofTrial(id, 1)).hasSize(1);
    }

    private static FailureRecord hang() {
        return new FailureRecord(
                Phase.WORKERS, 1, TrialFailure.of(FailureReason.TIMED_OUT, "nothing happened"), 60.5, 70.25);
    }

    @Test
    void anAbandonedRoundWasNeverBegun() {
        String id = add(request("abandoned", "there"));
        trials.begun(id, 1, CONFIG);
        trials.measured(id, 1, round(1), arrivals(10));

        trials.begun(id, 1, CONFIG);
        trials.abandoned(id, 1);
        trials.begun(id, 2, CONFIG);
        trials.abandoned(id, 2);

        assertThat(trials.all(id)).hasSize(1);
        assertThat(trials.all(id).get(0).openAttempts()).isZero();
    }

    @Test
    void aRoundThatNobodyEndedIsCounted() {
        String id = add(request("open", "there"));

        trials.begun(id, 1, CONFIG);
        trials.begun(id, 1, CONFIG);

        assertThat(trials.all(id).get(0).openAttempts()).isEqualTo(2);
    }

    @Test
    void aWholeStudyRunsAndIsRecommended() {
        String id = service.post(RunningService.descriptor("whole"));

        JsonNode done = service.awaitState(id, "completed").body();

        JsonNode best =
                service.calls().get("/api/v1/recommendations?dataset=whole").body();
        assertThat(best.path("status").asString()).isEqualTo("exact");
        assertThat(best.path("id")).isEqualTo(done.path("recommendation").path("id"));
        assertThat(service.calls()
                        .get("/api/v1/studies?dataset=whole&state=completed&limit=1")
                        .body()
                        .path("items")
                        .size())
                .isEqualTo(1);
        assertThat(service.calls()
                        .get("/api/v1/machine-types")
                        .body()
                        .path("items")
                        .size())
                .isEqualTo(1);
    }

    @Test
    void aKeyIsTakenOnce() {
        StudyRequest request = request("keyed", "there");
        String id = UUID.randomUUID().toString();
        studies.add(request, StudyReport.queued(id, request, "cpu"), "a-key", null, NOW);

        assertThatThrownBy(() -> studies.add(request, StudyReport.queued("other", request, null), "a-key", null, NOW))
                .isInstanceOf(DuplicateKeyException.class);
        assertThat(studies.postedWith("a-key").orElseThrow().id()).isEqualTo(id);
        assertThat(studies.postedWith("another-key")).isEmpty();
    }

    @Test
    void withTheEndOfAStudyItsTrialsAreSettled() {
        String id = add(request("settled", "there"));
        trials.begun(id, 1, CONFIG);
        trials.measured(id, 1, round(1), arrivals(10));
        trials.begun(id, 1, CONFIG);
        trials.begun(id, 2, CONFIG);

        service.bean(StudyLedger.class)
                .ended(
                        studies.find(id).orElseThrow(),
                        StudyState.CANCELLED,
                        TrialFailure.of(FailureReason.CANCELLED, "enough"));

        assertThat(trials.all(id)).containsExactly(new TrialRecord(1, CONFIG, 0, List.of(round(1)), null));
    }

    @Test
    void aStudyThatCannotBeReadFailsAndLetsTheNextOneRun() {
        service.loader().allowRounds(0);
        String running = service.post(RunningService.descriptor("readable"));
        service.awaitState(running, "running");
        String broken = service.post(RunningService.descriptor("unreadable"));
        String next = service.post(RunningService.descriptor("next-one"));
        service.bean(JdbcClient.class)
                .sql("update study set request = '{', report = 'no json' where id = :id")
                .param("id", broken)
                .update();

        service.loader().allowAll();

        service.awaitState(next, "completed");
        JsonNode failed = service.study(broken).body();
        assertThat(failed.path("state").asString()).isEqualTo("failed");
        assertThat(failed.path("failure").path("reason").asString()).isEqualTo("runner_error");
        assertThat(failed.path("ended_at").asString()).isNotEmpty();
    }

    private String add(StudyRequest request) {
        String id = UUID.randomUUID().toString();
        studies.add(request, StudyReport.queued(id, request, "cpu"), null, null, NOW);
        return id;
    }

    private StudyReport running(String id) {
        return studies.find(id).orElseThrow().report().ended(StudyState.RUNNING, null);
    }

    private void end(String id, StudyState state) {
        studies.report(
                studies.find(id)
                        .orElseThrow()
                        .report()
                        .ended(state, TrialFailure.of(FailureReason.CANCELLED, "enough")),
                NOW);
    }

    private List<String> ids(StudyFilter filter, @Nullable Long before, int limit) {
        return studies.list(filter, before, limit).stream().map(StoredStudy::id).toList();
    }

    private static StudyRequest request(String name, String machineType) {
        return JsonText.read(RunningService.descriptor(name), StudyRequest.class)
                .withMachineType(machineType);
    }

    private static List<Long> arrivals(int batches) {
        return LongStream.rangeClosed(1, batches)
                .map(batch -> batch * 997)
                .boxed()
                .toList();
    }

    private static RoundRecord round(int number) {
        return new RoundRecord(
                Phase.CONFIRM,
                number,
                1234.5678901234567,
                1,
                true,
                2.5,
                10.125,
                new RoundMeasurement(
                        0.1,
                        0.2,
                        null,
                        0.3,
                        1L << 40,
                        null,
                        null,
                        1L << 28,
                        0.5,
                        1.5,
                        0.0,
                        "fork",
                        "a warning",
                        new MeasuredWindow(2, 22, 1280, 1280 / 1234.5678901234567),
                        List.of(
                                new RankMeasurement(
                                        0, 600, 0.1, 1L << 39, 7L, new MeasuredWindow(2, 12, 640, 640 / 600.0)),
                                new RankMeasurement(
                                        1, 634, 0.2, null, null, new MeasuredWindow(2, 22, 640, 640 / 634.0))),
                        new Symptoms(
                                new Symptoms.Waits(0.001, 0.25, 1.5),
                                new Symptoms.CopiedMemory(1L << 33, 12, 2, 40),
                                null)),
                0.75);
    }
}
