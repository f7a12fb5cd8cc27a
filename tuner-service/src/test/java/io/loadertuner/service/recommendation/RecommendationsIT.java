package io.loadertuner.service.recommendation;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.json.TunerJson;
import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** The best known config, over HTTP. */
@Tag("database")
class RecommendationsIT {
    private static final String RECOMMENDATIONS = "/api/v1/recommendations?dataset=";

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
    void whatAStudyRecommendedIsAnsweredExactly() {
        String id = service.post(RunningService.descriptor("measured"));
        JsonNode study = service.awaitState(id, "completed").body();

        Answer answer = service.calls().get(RECOMMENDATIONS + "measured");

        JsonNode recommended = study.path("recommendation");
        JsonNode body = answer.body();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("status")).isEqualTo("exact");
        assertThat(answer.text("id")).isEqualTo(recommended.path("id").asString());
        assertThat(answer.text("study")).isEqualTo(id);
        assertThat(answer.text("machine_type")).isEqualTo("test-machine");
        assertThat(answer.text("tuning")).isEqualTo("none");
        assertThat(answer.text("device")).isEqualTo("cpu");
        assertThat(body.path("config")).isEqualTo(recommended.path("config"));
        assertThat(body.path("throughput")).isEqualTo(recommended.path("throughput"));
        assertThat(body.path("speedup")).isEqualTo(recommended.path("speedup"));
        assertThat(body.path("baseline")).isEqualTo(study.path("baseline"));
        assertThat(body.path("reason")).isEqualTo(recommended.path("reason"));
        assertThat(body.path("measured_at").asString()).isNotEmpty();
        assertThat(body.path("stale").asBoolean(true)).isFalse();
    }

    @Test
    void aNewStudyOfADatasetStartsFromWhatEarlierOnesRecommended() {
        String first = service.post(RunningService.descriptor("again"));
        JsonNode recommended = service.awaitState(first, "completed").body().path("recommendation");
        String second = service.post(RunningService.descriptor("again").replaceFirst("\\{", "{\"version\": \"2\","));
        service.awaitState(second, "completed");

        assertThat(warmStart(first)).isEmpty();
        assertThat(warmStart(second)).containsExactly(recommended.path("config"));
    }

    private static List<JsonNode> warmStart(String study) {
        String preparation = service.bean(JdbcClient.class)
                .sql("select preparation from study where id = :id")
                .param("id", study)
                .query(String.class)
                .single();
        return TunerJson.mapper()
                .readTree(preparation)
                .path("warm_start")
                .valueStream()
                .toList();
    }

    @Test
    void theNewestStudyOfADatasetCounts() {
        String first = service.post(RunningService.descriptor("twice"));
        String second = service.post(RunningService.descriptor("twice"));
        service.awaitState(second, "completed");

        Answer answer = service.calls().get(RECOMMENDATIONS + "twice");

        assertThat(answer.text("study")).isEqualTo(second).isNotEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(strings = {"unknown", "unknown&version=1&loader=pytorch", "unknown&machine_type=never-seen"})
    void withNothingMeasuredASafeDefaultIsAnswered(String query) {
        Answer answer = service.calls().get(RECOMMENDATIONS + query);

        JsonNode body = answer.body();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("status")).isEqualTo("default");
        assertThat(answer.text("reason")).startsWith("Nothing was measured");
        assertThat(body.path("config").path("batch_size").asInt()).isEqualTo(32);
        assertThat(body.path("config").path("num_workers").asInt()).isBetween(0, 8);
        for (String unknown : List.of(
                "id", "throughput", "baseline", "speedup", "measured_at", "device", "study", "version", "ranks")) {
            assertThat(body.has(unknown)).isTrue();
            assertThat(body.path(unknown).isNull()).as(unknown).isTrue();
        }
    }

    @Test
    void anotherVersionOrMachineTypeIsSimilar() {
        String id = service.post(RunningService.descriptor("versioned").replaceFirst("\\{", "{\"version\": \"7\","));
        service.awaitState(id, "completed");

        assertThat(status("versioned&version=7")).isEqualTo("exact");
        assertThat(status("versioned&version=7&machine_type=test-machine")).isEqualTo("exact");
        for (String query : List.of("versioned", "versioned&version=8", "versioned&version=7&machine_type=other")) {
            Answer answer = service.calls().get(RECOMMENDATIONS + query);
            assertThat(answer.text("status")).as(query).isEqualTo("similar");
            assertThat(answer.text("version")).isEqualTo("7");
            assertThat(answer.text("machine_type")).isEqualTo("test-machine");
            assertThat(answer.text("study")).isEqualTo(id);
            assertThat(answer.body()
                            .path("throughput")
                            .path("samples_per_second")
                            .asDouble())
                    .isPositive();
            assertThat(answer.text("reason"))
                    .startsWith("Not measured as asked, but on machine type test-machine for version 7");
        }
        assertThat(service.calls()
                        .get(RECOMMENDATIONS + "versioned&machine_type=other")
                        .text("reason"))
                .endsWith("The machine type is not known here, so this machine stands in for it.");
    }

    @Test
    void aCallerThatIsAnotherMachineGetsNoExactAnswer() {
        String id = service.post(RunningService.descriptor("elsewhere"));
        JsonNode measured = service.awaitState(id, "completed")
                .body()
                .path("recommendation")
                .path("config");
        double cores = service.calls()
                .get("/api/v1/machine-types")
                .body()
                .path("items")
                .get(0)
                .path("usable_cores")
                .asDouble();

        Answer twiceTheCores = service.calls().get(RECOMMENDATIONS + "elsewhere&cpus=" + 2 * cores);

        assertThat(status("elsewhere&cpus=" + cores)).isEqualTo("exact");
        assertThat(twiceTheCores.text("status")).isEqualTo("similar");
        assertThat(twiceTheCores.body().path("config").path("num_workers").asInt())
                .isEqualTo(2 * measured.path("num_workers").asInt());
        assertThat(twiceTheCores.body().path("throughput").isNull()).isTrue();
        assertThat(status("elsewhere&gpu=A%20model%20that%20nobody%20sells")).isEqualTo("similar");
    }

    @Test
    void whatIsKnownAlreadyIsNotSentAgain() {
        service.awaitState(service.post(RunningService.descriptor("tagged")), "completed");
        Answer first = service.calls().get(RECOMMENDATIONS + "tagged");

        Answer again = service.calls()
                .send(service.calls()
                        .request(RECOMMENDATIONS + "tagged")
                        .header("If-None-Match", first.header("ETag"))
                        .GET());
        service.awaitState(service.post(RunningService.descriptor("tagged")), "completed");
        Answer renewed = service.calls()
                .send(service.calls()
                        .request(RECOMMENDATIONS + "tagged")
                        .header("If-None-Match", first.header("ETag"))
                        .GET());

        assertThat(first.header("Cache-Control")).isEqualTo("no-cache");
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.raw().body()).isEmpty();
        assertThat(renewed.status()).isEqualTo(200);
        assertThat(renewed.header("ETag")).isNotEmpty().isNotEqualTo(first.header("ETag"));
    }

    @Test
    void aStudyUnderWayIsTold() {
        service.loader().allowRounds(0);
        String running = service.post(RunningService.descriptor("under-way"));
        service.awaitState(running, "running");
        String queued = service.post(RunningService.descriptor("in-line"));

        assertThat(service.calls().get(RECOMMENDATIONS + "under-way").text("tuning"))
                .isEqualTo("running");
        assertThat(service.calls().get(RECOMMENDATIONS + "in-line").text("tuning"))
                .isEqualTo("queued");
        service.loader().allowAll();
        service.awaitState(queued, "completed");
    }

    @Test
    void whatTheCallerTrainsOnShapesTheDefault() {
        JsonNode small = config("shaped&cpus=2.5&memory_bytes=68719476736&gpu=NVIDIA%20H200");
        JsonNode crowded = config("shaped&cpus=8&memory_bytes=68719476736&ranks=4&gpu=none");
        JsonNode tight = config("shaped&cpus=64&memory_bytes=3221225472");

        assertThat(small.path("num_workers").asInt()).isEqualTo(2);
        assertThat(small.path("pin_memory").asBoolean()).isTrue();
        assertThat(crowded.path("num_workers").asInt()).isEqualTo(2);
        assertThat(crowded.path("pin_memory").asBoolean()).isFalse();
        assertThat(tight.path("num_workers").asInt()).isEqualTo(3);
    }

    @Test
    void whatWasMeasuredWithOneRankIsNotExactForMore() {
        String id = service.post(RunningService.descriptor("ranked"));
        service.awaitState(id, "completed");

        Answer two = service.calls().get(RECOMMENDATIONS + "ranked&ranks=2");

        assertThat(status("ranked&ranks=1&memory_bytes=1")).isEqualTo("exact");
        assertThat(two.text("status")).isEqualTo("similar");
        assertThat(two.text("reason")).contains("with one rank");
        assertThat(two.body().path("ranks").asInt()).isEqualTo(1);

        String ofTwo = service.post(RunningService.descriptor("ranked").replaceFirst("\\{", "{\"ranks\": 2, "));
        service.awaitState(ofTwo, "completed");

        assertThat(service.calls().get(RECOMMENDATIONS + "ranked&ranks=2").text("study"))
                .isEqualTo(ofTwo);
        assertThat(service.calls().get(RECOMMENDATIONS + "ranked").text("study"))
                .isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ranks=0", "ranks=x", "cpus=0", "cpus=NaN", "cpus=1e9", "memory_bytes=-1", "gpu=", "memory=1"})
    void aParameterThatIsMalformedOrUnknownIsNamed(String query) {
        Answer answer = service.calls().get(RECOMMENDATIONS + "any&" + query);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("type")).endsWith(":invalid-parameter");
        assertThat(answer.text("field")).isEqualTo(query.substring(0, query.indexOf('=')));
    }

    @Test
    void aStoredRecommendationThatCannotBeReadGivesWayToTheDefault() {
        String id = service.post(RunningService.descriptor("garbled"));
        service.awaitState(id, "completed");
        service.bean(JdbcClient.class)
                .sql("update recommendation set recommended = '[' where study_id = :id")
                .param("id", id)
                .update();

        Answer answer = service.calls().get(RECOMMENDATIONS + "garbled");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("status")).isEqualTo("default");
        assertThat(answer.text("reason")).startsWith("What was measured cannot be read");
    }

    @Test
    void theMachineTypesAreKnown() {
        Answer answer = service.calls().get("/api/v1/machine-types");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("items").size()).isEqualTo(1);
        JsonNode type = answer.body().path("items").get(0);
        assertThat(type.path("machine_type").asString()).isEqualTo("test-machine");
        assertThat(type.path("this_machine").asBoolean()).isTrue();
        assertThat(type.path("usable_cores").asDouble()).isPositive();
    }

    private static JsonNode config(String query) {
        return service.calls().get(RECOMMENDATIONS + query).body().path("config");
    }

    private static String status(String query) {
        return service.calls().get(RECOMMENDATIONS + query).text("status");
    }
}
