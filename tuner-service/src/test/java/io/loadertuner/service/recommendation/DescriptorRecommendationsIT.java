package io.loadertuner.service.recommendation;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The best known config for a whole descriptor, over HTTP. */
@Tag("database")
class DescriptorRecommendationsIT {
    private static final String RECOMMENDATIONS = "/api/v1/recommendations";

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
    void whatWasMeasuredIsTold() {
        completed("told");

        Answer byName = service.calls().get(RECOMMENDATIONS + "?dataset=told");
        Answer byDescriptor = service.calls().post(RECOMMENDATIONS, RunningService.descriptor("told"));

        assertThat(byDescriptor.body()).isEqualTo(byName.body());
        assertThat(byName.text("status")).isEqualTo("exact");
        assertThat(byName.body()
                        .path("measured_on")
                        .path("source")
                        .path("samples")
                        .asInt())
                .isEqualTo(10_000);
        assertThat(byName.body().path("measured_on").path("torch").asString()).isEqualTo("2.13.0+cpu");
        assertThat(byName.body().path("measured_on").path("step").isNull()).isTrue();
    }

    @Test
    void anotherDescriptorOfThatNameIsNotExactAndToldWhy() {
        String id = completed("changed");
        String changed = RunningService.descriptor("changed").replace("10000", "20000");

        Answer answer = service.calls().post(RECOMMENDATIONS, changed);

        assertThat(answer.text("status")).isEqualTo("similar");
        assertThat(answer.text("study")).isEqualTo(id);
        assertThat(answer.text("reason"))
                .contains("It was measured with another source.")
                .doesNotContain("step");
        assertThat(service.calls()
                        .post(
                                RECOMMENDATIONS,
                                RunningService.descriptor("changed")
                                        .replaceFirst("\\{", "{\"step\": {\"milliseconds\": 9},"))
                        .text("reason"))
                .contains("It was measured with another training step.")
                .doesNotContain("source");
    }

    @Test
    void theDescriptorThatWasMeasuredStaysExactAfterAnotherOfItsName() {
        String first = completed("renewed");
        String second = service.post(RunningService.descriptor("renewed").replace("10000", "20000"));
        service.awaitState(second, "completed");

        assertThat(service.calls().get(RECOMMENDATIONS + "?dataset=renewed").text("study"))
                .isEqualTo(second);
        Answer ofTheFirst = service.calls().post(RECOMMENDATIONS, RunningService.descriptor("renewed"));
        assertThat(ofTheFirst.text("status")).isEqualTo("exact");
        assertThat(ofTheFirst.text("study")).isEqualTo(first);
    }

    @Test
    void anotherTorchIsNotExactAndToldWhy() {
        completed("upgraded");
        String same = "?dataset=upgraded&torch=2.13.0%2Bcpu";

        assertThat(service.calls().get(RECOMMENDATIONS + same).text("status")).isEqualTo("exact");
        Answer answer = service.calls().get(RECOMMENDATIONS + "?dataset=upgraded&torch=2.14.0");
        assertThat(answer.text("status")).isEqualTo("similar");
        assertThat(answer.text("reason")).endsWith("It was measured with torch 2.13.0+cpu, and the caller has 2.14.0.");
        assertThat(service.calls()
                        .post(RECOMMENDATIONS + "?torch=2.14.0", RunningService.descriptor("upgraded"))
                        .text("status"))
                .isEqualTo("similar");
    }

    @Test
    void anOldMeasurementIsStale() {
        String id = completed("old");
        assertThat(stale("old")).isFalse();

        service.bean(JdbcClient.class)
                .sql("update recommendation set measured_at = :then where study_id = :id")
                .param("then", OffsetDateTime.now(ZoneOffset.UTC).minusDays(31))
                .param("id", id)
                .update();
        service.bean(Known.class).changed();

        assertThat(stale("old")).isTrue();
        assertThat(service.calls()
                        .get(RECOMMENDATIONS + "?dataset=old&version=2")
                        .body()
                        .path("stale")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void aMissingStudyIsQueuedOnceHoweverManyAsk() {
        service.loader().allowRounds(0);
        List<Answer> answers;
        try {
            answers = IntStream.range(0, 20)
                    .parallel()
                    .mapToObj(launcher -> service.calls().post(RECOMMENDATIONS, tuneMissing("wanted")))
                    .toList();
            assertThat(studies("wanted")).isEqualTo(1);
        } finally {
            service.loader().allowAll();
        }
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text("status")).isEqualTo("default");
            assertThat(answer.text("tuning")).isIn("queued", "running");
        });

        service.calls()
                .await(
                        RECOMMENDATIONS + "?dataset=wanted",
                        RunningService.SOON,
                        answer -> answer.path("status").asString().equals("exact"));
        assertThat(service.calls().post(RECOMMENDATIONS, tuneMissing("wanted")).text("status"))
                .isEqualTo("exact");
        assertThat(studies("wanted")).isEqualTo(1);
    }

    @Test
    void aStudyIsMissingAgainForAnotherTorchAndNeverForAnotherMachine() {
        completed("torched");

        Answer elsewhere = service.calls().post(RECOMMENDATIONS + "?cpus=4000", tuneMissing("torched"));
        assertThat(elsewhere.text("reason"))
                .endsWith("No study is queued: here it would measure another machine than yours.");
        assertThat(studies("torched")).isEqualTo(1);

        Answer upgraded = service.calls().post(RECOMMENDATIONS + "?torch=9.0", tuneMissing("torched"));
        assertThat(upgraded.text("status")).isEqualTo("similar");
        assertThat(studies("torched")).isEqualTo(2);
    }

    @Test
    void aMissingStudyThatFailedIsNotQueuedAgainAndToldOf() {
        service.calls().post(RECOMMENDATIONS, tuneMissing(InstantLoader.BROKEN));
        service.calls()
                .await(
                        "/api/v1/studies?dataset=" + InstantLoader.BROKEN,
                        RunningService.SOON,
                        page -> page.path("items")
                                .get(0)
                                .path("state")
                                .asString()
                                .equals("failed"));

        Answer answer = service.calls().post(RECOMMENDATIONS, tuneMissing(InstantLoader.BROKEN));

        assertThat(answer.text("tuning")).isEqualTo("none");
        assertThat(answer.text("reason"))
                .contains("A study was queued for it before")
                .contains("is failed");
        assertThat(studies(InstantLoader.BROKEN)).isEqualTo(1);
    }

    @Test
    void whatCannotRunHereIsAnsweredAllTheSame() {
        for (String impossible : List.of(
                tuneMissing("else").replaceFirst("\\{", "{\"machine_type\": \"other\","),
                "{\"tune\": \"missing\", \"name\": \"else\", \"source\": {\"kind\": \"array\", \"path\": \"/nowhere.npy\"}}")) {
            Answer answer = service.calls().post(RECOMMENDATIONS, impossible);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text("status")).isEqualTo("default");
            assertThat(answer.text("tuning")).isEqualTo("none");
            assertThat(answer.text("reason")).contains("No study is queued: ");
        }
        assertThat(studies("else")).isZero();
    }

    @Test
    void withoutTuneNothingIsQueued() {
        Answer answer = service.calls().post(RECOMMENDATIONS, RunningService.descriptor("unwanted"));

        assertThat(answer.text("status")).isEqualTo("default");
        assertThat(answer.text("tuning")).isEqualTo("none");
        assertThat(studies("unwanted")).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"name": "a", "source": {"kind": "synthetic", "samples": 1}, "tune": "always"} | tune        | 422
                    {"name": "a", "source": {"kind": "synthetic", "samples": 1}, "tune": 1}        | tune        | 422
                    {"name": "a", "source": {"kind": "synthetic", "samples": 1}, "nmae": "b"}      | nmae        | 422
                    {"name": "a", "source": {"kind": "synthetic", "samples": "1"}}                 | source.samples | 422
                    {"name": "a"}                                                                  | source      | 422
                    {"name": "a", "source": {"kind": "synthetic", "samples": 1}, "machine_type": " "} | machine_type | 422
                    {"name": "a",                                                                  | ''          | 400
                    []                                                                             | body        | 422
                    """)
    void aBodyThatIsNoDescriptorIsRefused(String body, String field, int status) {
        Answer answer = service.calls().post(RECOMMENDATIONS, body);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.text("field")).isEqualTo(field);
    }

    @Test
    void parametersOfTheQueryAreNotThoseOfTheDescriptor() {
        assertThat(service.calls()
                        .post(RECOMMENDATIONS + "?dataset=b", RunningService.descriptor("a"))
                        .text("field"))
                .isEqualTo("dataset");
        assertThat(service.calls()
                        .post(RECOMMENDATIONS + "?cpus=0", RunningService.descriptor("a"))
                        .text("field"))
                .isEqualTo("cpus");
    }

    private static String completed(String dataset) {
        String id = service.post(RunningService.descriptor(dataset));
        service.awaitState(id, "completed");
        return id;
    }

    private static String tuneMissing(String dataset) {
        return RunningService.descriptor(dataset).replaceFirst("\\{", "{\"tune\": \"missing\",");
    }

    private static boolean stale(String dataset) {
        return service.calls()
                .get(RECOMMENDATIONS + "?dataset=" + dataset)
                .body()
                .path("stale")
                .asBoolean();
    }

    private static int studies(String dataset) {
        return service.calls()
                .get("/api/v1/studies?dataset=" + dataset)
                .body()
                .path("items")
                .size();
    }
}
