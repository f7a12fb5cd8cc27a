package io.loadertuner.service.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import io.loadertuner.service.TestDatabase;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Two services on one PostgreSQL, in one JVM, whose rounds can be held back. */
class ReplicasIT {
    private static final String STUDIES = "/api/v1/studies/";
    private static final int ROUNDS = 4;

    @TempDir
    Path first;

    @TempDir
    Path second;

    private RunningService here;
    private RunningService there;

    @BeforeEach
    void start() {
        here = RunningService.start(first, new InstantLoader(), onOneDatabase());
        there = here;
    }

    @AfterEach
    void stop() {
        here.close();
        there.close();
    }

    private String[] onOneDatabase() {
        return Stream.concat(Stream.of(TestDatabase.postgresql(first)), Stream.of("loader-tuner.lease=2s"))
                .toArray(String[]::new);
    }

    /** A study that runs on the first service, which is held back after some rounds; then the second one starts. */
    private String heldHere(String name) {
        here.loader().allowRounds(ROUNDS);
        String id = here.post(RunningService.descriptor(name));
        here.awaitRounds(ROUNDS);
        startThere();
        return id;
    }

    private void startThere() {
        there = RunningService.start(second, new InstantLoader(), onOneDatabase());
    }

    private static JsonNode trials(RunningService service, String id) {
        return service.calls().get(STUDIES + id + "/trials").body().path("items");
    }

    @Test
    void studiesPostedAnywhereRunOnceOnEitherService() {
        startThere();
        List<String> ids = IntStream.range(0, 20)
                .mapToObj(
                        number -> (number % 2 == 0 ? here : there).post(RunningService.descriptor("shared-" + number)))
                .toList();

        ids.forEach(id -> here.awaitState(id, "completed"));

        List<String> opened = Stream.of(here, there)
                .flatMap(service -> service.loader().opened().stream())
                .map(descriptor -> descriptor.name())
                .toList();
        assertThat(opened).hasSize(20).doesNotHaveDuplicates();
        assertThat(here.loader().opened()).isNotEmpty();
        assertThat(there.loader().opened()).isNotEmpty();
    }

    @Test
    void aServiceThatStopsHandsItsStudyOver() {
        String id = heldHere("handed-over");
        List<String> before = rounds(id);

        here.stop();

        there.awaitState(id, "completed");
        List<String> after = rounds(id);
        assertThat(before).isNotEmpty();
        assertThat(after.size()).isGreaterThan(before.size());
        assertThat(after).containsAll(before);
    }

    @Test
    void whatAnotherServiceTookIsNotWrittenAnyMore() {
        String id = heldHere("taken");
        sql("insert into replica (id, lease_until) values ('a-third', current_timestamp + interval '1' hour)");
        sql("update study set runner = 'a-third' where id = '" + id + "'");
        List<String> rounds = rounds(id);

        here.loader().allowRounds(1);

        await().atMost(RunningService.SOON).until(() -> here.loader().openSessions() == 0);
        assertThat(rounds(id)).isEqualTo(rounds);
        assertThat(here.study(id).text("state")).isEqualTo("running");

        sql("delete from replica where id = 'a-third'");
        here.loader().allowAll();
        here.awaitState(id, "completed");
    }

    @Test
    void aStudyIsCancelledThroughAServiceThatDoesNotRunIt() {
        String id = heldHere("cancelled-from-afar");
        List<String> rounds = rounds(id);

        Answer answer = there.calls().post(STUDIES + id + "/cancel", "");

        assertThat(answer.text("state")).isEqualTo("cancelled");
        assertThat(rounds(id)).isEqualTo(rounds);
        await().atMost(RunningService.SOON).until(() -> here.loader().openSessions() == 0);
    }

    @Test
    void aStudyOfADeadServiceThatWasToBeCancelledIsNotMeasuredFurther() {
        String id = heldHere("cancelled-without-a-hearer");
        List<String> rounds = rounds(id);
        sql("update study set cancel_asked = true, runner = 'a-dead-one' where id = '" + id + "'");

        there.awaitState(id, "cancelled");
        assertThat(rounds(id)).isEqualTo(rounds);
    }

    @Test
    void whoWaitsAtOneServiceIsToldWhatTheOtherDoes() throws Exception {
        String id = heldHere("watched-from-afar");
        CompletableFuture<HttpResponse<Stream<String>>> events = new CompletableFuture<>();
        Thread follower = new Thread(() -> events.complete(follow(there, id)));
        follower.start();

        here.loader().allowAll();

        List<String> lines =
                events.get().body().filter(line -> line.startsWith("event:")).toList();
        assertThat(lines).contains("event:trial_finished").endsWith("event:study_finished");
    }

    private static HttpResponse<Stream<String>> follow(RunningService service, String id) {
        try {
            return HttpClient.newHttpClient()
                    .send(service.calls().request(STUDIES + id + "/events").build(), BodyHandlers.ofLines());
        } catch (IOException | InterruptedException unread) {
            throw new IllegalStateException(unread);
        }
    }

    @Test
    void aFailedTrialIsTriedAgainByWhoeverIsFree() {
        String id = here.post(RunningService.descriptor(InstantLoader.HANGING));
        startThere();
        here.awaitState(id, "completed");
        int failed = trials(here, id)
                .valueStream()
                .filter(trial -> trial.path("state").asString().equals("failed"))
                .findFirst()
                .orElseThrow()
                .path("number")
                .asInt();
        here.loader().mend();
        there.loader().mend();

        Answer asked = there.calls().post(STUDIES + id + "/trials/" + failed + "/retry", "");

        assertThat(asked.status()).isEqualTo(202);
        Answer ended = here.calls()
                .await(
                        STUDIES + id + "/trials/" + failed,
                        RunningService.SOON,
                        trial -> trial.path("retries")
                                .path(0)
                                .path("state")
                                .asString("")
                                .equals("complete"));
        assertThat(ended.body().path("retries").size()).isEqualTo(1);
    }

    @Test
    void ofOneKeyPostedToBothOneStudyComes() {
        startThere();
        String body = RunningService.descriptor("posted-twice");

        List<String> ids = Stream.of(here, there)
                .parallel()
                .map(service -> service.calls()
                        .send(service.calls()
                                .request("/api/v1/studies")
                                .header("Content-Type", "application/json")
                                .header("Idempotency-Key", "the-same")
                                .POST(BodyPublishers.ofString(body)))
                        .text("id"))
                .toList();

        assertThat(ids.get(0)).isEqualTo(ids.get(1));
        here.awaitState(ids.get(0), "completed");
    }

    private List<String> rounds(String id) {
        return database()
                .sql("select record from round where study_id = :id")
                .param("id", id)
                .query(String.class)
                .list();
    }

    private void sql(String statement) {
        database().sql(statement).update();
    }

    private JdbcClient database() {
        return there.bean(JdbcClient.class);
    }
}
