package io.loadertuner.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every call that is refused: the status, the kind of problem, the field, and never a trace of the inside. */
class RefusedCallsIT {
    private static final String STUDIES = "/api/v1/studies";
    private static final String JSON = "application/json";

    @TempDir
    static Path folder;

    private static RunningService service;

    @BeforeAll
    static void start() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.createDirectories(data.resolve("photos"));
        Path outside = Files.createDirectories(folder.resolve("outside"));
        Files.createSymbolicLink(data.resolve("escape"), outside);
        service = RunningService.start(folder.resolve("home"), new InstantLoader(), "loader-tuner.data-roots=" + data);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/studies?dataset=a%00b", "/api/v1/studies?state=queued&state=running"})
    void aParameterThatNoneCanBeIsRefused(String call) {
        assertThat(service.calls().get(call).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/studies?q=%00", "/studies?%01=1", "/compare?study=%00"})
    void soItIsOnThePage(String page) {
        assertThat(service.calls().get(page).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "127.0.0.1.evil.example:80", "192.168.0.1", "[::2]"})
    void aForeignHostIsRefused(String host) {
        Answer answer = service.calls()
                .send(service.calls().request(STUDIES).header("Host", host).GET());

        assertProblem(answer, 421, "foreign-host");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:1234", "127.0.0.1", "[::1]:8080"})
    void aLoopbackHostIsServed(String host) {
        Answer answer = service.calls()
                .send(service.calls().request(STUDIES).header("Host", host).GET());

        assertThat(answer.status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"})
    void aForeignOriginIsRefused(String origin) {
        Answer reading = service.calls()
                .send(service.calls().request(STUDIES).header("Origin", origin).GET());
        Answer asking = service.calls()
                .send(service.calls()
                        .request(STUDIES)
                        .header("Origin", origin)
                        .header("Access-Control-Request-Method", "POST")
                        .method("OPTIONS", BodyPublishers.noBody()));

        assertProblem(reading, 403, "foreign-origin");
        assertProblem(asking, 403, "foreign-origin");
    }

    @Test
    void theServicesOwnOriginIsServed() {
        Answer answer = service.calls()
                .send(service.calls()
                        .request(STUDIES)
                        .header("Origin", service.calls().base().toString())
                        .GET());

        assertThat(answer.status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/x-www-form-urlencoded",
                "multipart/form-data",
                "application/jsonp",
                "nonsense"
            })
    void aBodyThatIsNotJsonIsRefused(String contentType) {
        Answer posted = service.calls()
                .send(service.calls()
                        .request(STUDIES)
                        .header("Content-Type", contentType)
                        .POST(BodyPublishers.ofString(RunningService.descriptor("a"))));
        Answer cancelled = service.calls()
                .send(service.calls()
                        .request(STUDIES + "/x/cancel")
                        .header("Content-Type", contentType)
                        .POST(BodyPublishers.noBody()));

        assertProblem(posted, 415, "unsupported-media-type");
        assertProblem(cancelled, 415, "unsupported-media-type");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/studies", "/api/v1/openapi.json", "/actuator/health", "/actuator/prometheus"})
    void aContentTypeOfNothingIsRefused(String path) {
        for (String nothing : new String[] {"*/*", "nonsense", "application/json;charset=nonsense"}) {
            Answer answer = service.calls()
                    .send(service.calls()
                            .request(path)
                            .header("Content-Type", nothing)
                            .GET());

            assertProblem(answer, 400, "bad-request");
        }
    }

    @Test
    void aChangeWithoutAContentTypeIsRefused() {
        HttpRequest.Builder cancel =
                service.calls().request(STUDIES + "/x/cancel").POST(BodyPublishers.noBody());

        assertProblem(service.calls().send(cancel), 415, "unsupported-media-type");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"name\":                                    | 400 | malformed-json |",
                "{\"name\": \"a\", \"name\": \"b\"}            | 400 | malformed-json |",
                "{\"name\": \"a\", \"source\": {\"kind\": \"synthetic\", \"samples\": 1}} {} | 422 | invalid-field | body",
                "[]                                            | 422 | invalid-field  | body",
                "null                                          | 400 | malformed-json |",
                "{}                                            | 422 | invalid-field  | name",
                "{\"name\": \"a b\", \"source\": {\"kind\": \"synthetic\", \"samples\": 1}} | 422 | invalid-field | name",
                "{\"name\": \"a\"}                             | 422 | invalid-field  | source",
                "{\"name\": \"a\", \"source\": {}}             | 422 | invalid-field  | source.kind",
                "{\"name\": \"a\", \"source\": {\"kind\": \"x\"}}                           | 422 | invalid-field | source.kind",
                "{\"name\": \"a\", \"source\": {\"kind\": \"synthetic\", \"samples\": 0}}   | 422 | invalid-field | source.samples",
                "{\"name\": \"a\", \"source\": {\"kind\": \"synthetic\", \"samples\": \"x\"}} | 422 | invalid-field | source.samples",
                "{\"name\": \"a\", \"source\": {\"kind\": \"synthetic\", \"samples\": 1.5}} | 422 | invalid-field | source.samples",
                "{\"name\": \"a\", \"source\": {\"kind\": \"synthetic\", \"samples\": 1, \"sample\": 1}} | 422 | unknown-field | source.sample",
                "{\"name\": \"a\", \"sauce\": {}, \"source\": {\"kind\": \"synthetic\", \"samples\": 1}} | 422 | unknown-field  | sauce",
                "{\"budget\": {\"seconds\": 1}}                | 422 | invalid-field  | budget.seconds",
                "{\"budget\": {\"hours\": 1}}                  | 422 | unknown-field  | budget.hours",
                "{\"baseline\": \"fast\"}                      | 422 | invalid-field  | baseline",
                "{\"space\": {\"num_workers\": \"many\"}}      | 422 | invalid-field  | space.num_workers",
                "{\"space\": {\"pin_memory\": [7]}}            | 422 | invalid-field  | space.pin_memory[0]",
                "{\"constraints\": {\"max_num_workers\": -1}}  | 422 | invalid-field  | constraints.max_num_workers",
                "{\"step\": {\"milliseconds\": 0}}             | 422 | invalid-field  | step.milliseconds",
                "{\"step\": {}}                                | 422 | invalid-field  | step",
                "{\"name\": \"a\", \"machine_type\": \"other\", \"source\": {\"kind\": \"synthetic\", \"samples\": 1}} | 422 | invalid-field | machine_type",
                "{\"name\": \"a\", \"source\": {\"kind\": \"synthetic\", \"samples\": 1}, \"baseline\": {\"num_workers\": -1}} | 422 | invalid-field | baseline.num_workers",
            })
    void aBodyThatCannotBeAcceptedNamesItsField(String body, int status, String type, String field) {
        Answer answer = service.calls().post(STUDIES, body);

        assertProblem(answer, status, type);
        assertThat(answer.text("field")).isEqualTo(field == null ? "" : field);
        if (field != null && !field.equals("body")) {
            assertThat(answer.text("detail")).startsWith(field + ": ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../outside", "/etc", "escape", "escape/../../outside", "photos/../../outside", "photos\\u0000"})
    void aPathOutsideTheDataRootsIsRefused(String path) {
        Answer answer = service.calls().post(STUDIES, """
                {"name": "a", "source": {"kind": "image_folder", "path": "%s"}}
                """.formatted(path));

        assertProblem(answer, 422, "invalid-field");
        assertThat(answer.text("field")).isEqualTo("source.path");
        assertThat(answer.text("detail")).containsAnyOf("loader-tuner.data-roots", "NUL");
    }

    @Test
    void aPathThatIsNotThereIsRefused() {
        Answer answer = service.calls()
                .post(STUDIES, "{\"name\": \"a\", \"source\": {\"kind\": \"array\", \"path\": \"absent.npy\"}}");

        assertProblem(answer, 422, "invalid-field");
        assertThat(answer.text("detail")).contains("'absent.npy' does not exist under the root");
    }

    @Test
    void aPathUnderTheFirstDataRootIsTaken() {
        Answer answer = service.calls()
                .post(
                        STUDIES + "?wait=20",
                        "{\"name\": \"photos\", \"source\": {\"kind\": \"image_folder\", \"path\": \"photos\"}}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(service.loader().opened().toString())
                .contains(folder.resolve("data").resolve("photos").toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"name\": \"a\", \"source\": {\"kind\": \"python\", \"factory\": \"os:system\"}} | source.kind",
                "{\"name\": \"a\", \"source\": {\"kind\": \"synthetic\", \"samples\": 1}, \"step\": {\"factory\": \"os:system\"}} | step.factory",
            })
    void codeIsRefusedWithoutCodeRoots(String body, String field) {
        Answer posted = service.calls().post(STUDIES, body);
        Answer checked = service.calls().post("/api/v1/descriptors/check", body);

        assertProblem(posted, 422, "invalid-field");
        assertThat(posted.text("field")).isEqualTo(field);
        assertThat(posted.text("detail")).contains("loader-tuner.code-roots");
        assertProblem(checked, 422, "invalid-field");
        assertThat(checked.text("detail")).isEqualTo(posted.text("detail"));
    }

    @Test
    void aBodyThatAnnouncesTooMuchIsRefused() {
        Answer answer = service.calls().post(STUDIES, " ".repeat(BodyTooLargeException.MOST_BYTES + 1));

        assertProblem(answer, 413, "body-too-large");
    }

    @Test
    void aBodyThatBecomesTooLargeIsRefused() {
        byte[] body = " ".repeat(2 * BodyTooLargeException.MOST_BYTES).getBytes(StandardCharsets.UTF_8);

        Answer answer = service.calls()
                .send(service.calls()
                        .request(STUDIES)
                        .header("Content-Type", JSON)
                        .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))));

        assertProblem(answer, 413, "body-too-large");
    }

    @Test
    void aBodyThatIsNestedTooDeeplyIsRefused() {
        Answer answer = service.calls().post(STUDIES, "[".repeat(100_000));

        assertThat(answer.status()).isIn(400, 422);
        assertNothingInside(answer);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/studies/unknown, 404, not-found",
        "/api/v1/studies/unknown/trials, 404, not-found",
        "/api/v1/studies/unknown/trials/1, 404, not-found",
        "/api/v1/nothing, 404, not-found",
        "/nothing, 404, not-found",
        "/error, 404, not-found",
        "/api/v1/studies?limit=0, 400, invalid-parameter",
        "/api/v1/studies?limit=201, 400, invalid-parameter",
        "/api/v1/studies?limit=many, 400, invalid-parameter",
        "/api/v1/studies?cursor=x, 400, invalid-parameter",
        "/api/v1/studies?state=failed&state=queued, 400, invalid-parameter",
        "/api/v1/studies?state=asleep, 400, invalid-parameter",
        "/api/v1/studies/x/trials?cursor=-1, 400, invalid-parameter",
        "/api/v1/studies/x/trials/one, 400, invalid-parameter",
        "/api/v1/recommendations, 400, invalid-parameter",
        "/api/v1/recommendations?dataset=, 400, invalid-parameter",
        "/api/v1/recommendations?dataset=a%20b, 400, invalid-parameter",
        "/api/v1/recommendations?dataset=a&loader=tensorflow, 400, invalid-parameter",
        "/api/v1/recommendations?dataset=a&machine_type=%2F, 400, invalid-parameter",
    })
    void aCallForNothingIsRefused(String path, int status, String type) {
        assertProblem(service.calls().get(path), status, type);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "3601", "long"})
    void aWaitOutOfRangeIsRefused(String wait) {
        Answer answer = service.calls().post(STUDIES + "?wait=" + wait, RunningService.descriptor("a"));

        assertProblem(answer, 400, "invalid-parameter");
        assertThat(answer.text("field")).isEqualTo("wait");
    }

    @Test
    void anUnknownStudyCannotBeCancelled() {
        assertProblem(service.calls().post(STUDIES + "/unknown/cancel", "{}"), 404, "not-found");
    }

    @Test
    void aFinishedStudyCannotBeCancelled() {
        String id = service.post(RunningService.descriptor("finished"));
        service.awaitState(id, "completed");

        Answer answer = service.calls().post(STUDIES + "/" + id + "/cancel", "{}");

        assertProblem(answer, 409, "study-over");
        assertThat(service.study(id).text("state")).isEqualTo("completed");
    }

    @Test
    void aWrongMethodNamesTheRightOnes() {
        Answer answer = service.calls()
                .send(service.calls()
                        .request(STUDIES)
                        .header("Content-Type", JSON)
                        .method("DELETE", BodyPublishers.noBody()));

        assertProblem(answer, 405, "method-not-allowed");
        assertThat(answer.header("Allow")).contains("GET").contains("POST");
    }

    @Test
    void anAnswerInAnotherFormIsRefused() {
        Answer answer = service.calls()
                .send(service.calls()
                        .request(STUDIES)
                        .header("Accept", "text/html")
                        .GET());

        assertProblem(answer, 406, "not-acceptable");
    }

    @Test
    void whatTheServerItselfRefusesIsAProblemToo() throws IOException {
        String answer = raw("GET /api/v1/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 400").doesNotContain("<html", "Tomcat", "org.apache");
    }

    @Test
    void aDescriptorThatCannotBeBuiltFailsItsCheckWithTheReason() {
        Answer answer =
                service.calls().post("/api/v1/descriptors/check", RunningService.descriptor(InstantLoader.BROKEN));

        assertProblem(answer, 422, "descriptor-failed");
        assertThat(answer.body().path("failure").path("reason").asString()).isEqualTo("dataset_error");
        assertThat(answer.text("detail")).contains("sample 3 is broken");
    }

    @Test
    void anUnexpectedErrorTellsOnlyWhereToLook() {
        Answer answer =
                service.calls().post("/api/v1/descriptors/check", RunningService.descriptor(InstantLoader.FAULTY));

        assertProblem(answer, 500, "internal-error");
        assertThat(answer.text("detail")).contains(answer.text("instance")).doesNotContain("a fault in the loader");
    }

    private static void assertProblem(Answer answer, int status, String type) {
        assertThat(answer.status()).as(answer.raw().body()).isEqualTo(status);
        assertThat(answer.contentType()).isEqualTo("application/problem+json");
        assertThat(answer.text("type")).isEqualTo("urn:loader-tuner:problem:" + type);
        assertThat(answer.body().path("status").asInt()).isEqualTo(status);
        assertThat(answer.text("title")).isNotEmpty();
        assertThat(answer.text("detail")).isNotEmpty();
        assertThat(answer.text("instance"))
                .isEqualTo("urn:loader-tuner:call:" + answer.header("Trace-Id"))
                .matches("urn:loader-tuner:call:[0-9a-f]{32}");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("Content-Security-Policy")).startsWith("default-src 'none'");
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        assertNothingInside(answer);
    }

    private static void assertNothingInside(Answer answer) {
        assertThat(answer.raw().body()).doesNotContain("Exception", "io.loadertuner", "tools.jackson", "\tat ");
    }

    private static String raw(String request) throws IOException {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), service.calls().base().getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
