package io.loadertuner.service.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A service on an address that others reach, and who may do what there. */
@Tag("database")
class AccessIT {
    private static final String PYTHON = """
            {"name": "code", "source": {"kind": "python", "factory": "a:b"}}""";

    @TempDir
    static Path home;

    private static final Map<Role, String> TOKENS = new EnumMap<>(Role.class);
    private static RunningService service;

    @BeforeAll
    static void start() {
        try (RunningService open = RunningService.start(home, new InstantLoader())) {
            for (Role role : Role.values()) {
                Answer made =
                        open.calls().post("/api/v1/tokens", "{\"name\": \"test\", \"role\": \"" + role.word() + "\"}");
                assertThat(made.status()).isEqualTo(201);
                TOKENS.put(role, made.text("token"));
            }
        }
        service = RunningService.start(
                home, new InstantLoader(), "server.address=0.0.0.0", "loader-tuner.security.studies-per-hour=3");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @ParameterizedTest
    @CsvSource({
        "GET,    /api/v1/studies,                                   200, 200, 200",
        "GET,    /api/v1/recommendations?dataset=a,                 200, 200, 200",
        "GET,    /api/v1/machine-types,                             200, 200, 200",
        "HEAD,   /api/v1/studies,                                   200, 200, 200",
        "GET,    /client/loader_tuner.py,                           200, 200, 200",
        "GET,    /actuator/prometheus,                              200, 200, 200",
        "POST,   /api/v1/recommendations,                           403, 422, 422",
        "POST,   /api/v1/studies,                                   403, 422, 422",
        "POST,   /api/v1/descriptors/check,                         403, 422, 422",
        "POST,   /api/v1/studies/none/cancel,                       403, 404, 404",
        "POST,   /api/v1/studies/none/trials/1/retry,               403, 404, 404",
        "GET,    /api/v1/tokens,                                    403, 403, 200",
        "POST,   /api/v1/tokens,                                    403, 403, 422",
        "DELETE, /api/v1/tokens/none,                               403, 403, 404",
        "PUT,    /api/v1/anything,                                  403, 403, 404",
    })
    void eachRoleMayDoItsOwn(String method, String path, int viewer, int launcher, int operator) {
        assertThat(call(method, path, TOKENS.get(Role.VIEWER), "{}").status()).isEqualTo(viewer);
        assertThat(call(method, path, TOKENS.get(Role.LAUNCHER), "{}").status()).isEqualTo(launcher);
        assertThat(call(method, path, TOKENS.get(Role.OPERATOR), "{}").status()).isEqualTo(operator);

        Answer nobody = call(method, path, null, "{}");
        assertThat(nobody.status()).isEqualTo(401);
        if (!method.equals("HEAD")) {
            assertThat(nobody.contentType()).isEqualTo("application/problem+json");
        }
        assertThat(nobody.header("WWW-Authenticate")).isEqualTo("Bearer");
        assertThat(call(method, path, "lt_made-up", "{}").status()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/liveness", "/readiness"})
    void healthNeedsNoToken(String group) {
        assertThat(call("GET", "/actuator/health" + group, null, "").status()).isEqualTo(200);
    }

    @Test
    void codeIsRunForOperatorsOnly() {
        for (String path : new String[] {"/api/v1/studies", "/api/v1/descriptors/check"}) {
            Answer launcher = call("POST", path, TOKENS.get(Role.LAUNCHER), PYTHON);
            assertThat(launcher.status()).isEqualTo(403);
            assertThat(launcher.text("detail")).contains("code is run only for the role operator");
            // No code roots are set: what is refused then is not the caller.
            assertThat(call("POST", path, TOKENS.get(Role.OPERATOR), PYTHON).status())
                    .isEqualTo(422);
        }
        String step = RunningService.descriptor("step").replaceFirst("\\{", "{\"step\": {\"factory\": \"a:b\"},");
        assertThat(call("POST", "/api/v1/studies", TOKENS.get(Role.LAUNCHER), step)
                        .status())
                .isEqualTo(403);
    }

    @Test
    void studiesAreTakenAtALimitedRateForEachToken() {
        String token = make(Role.LAUNCHER);
        for (int study = 0; study < 3; study++) {
            assertThat(call("POST", "/api/v1/studies", token, RunningService.descriptor("many"))
                            .status())
                    .isEqualTo(202);
        }

        Answer refused = call("POST", "/api/v1/studies", token, RunningService.descriptor("many"));

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.text("type")).endsWith(":too-many-studies");
        // One of three an hour is back after 20 minutes at most.
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 1200);
        assertThat(call("GET", "/api/v1/recommendations?dataset=many", token, "")
                        .status())
                .isEqualTo(200);
        assertThat(call("POST", "/api/v1/studies", make(Role.LAUNCHER), RunningService.descriptor("many"))
                        .status())
                .isEqualTo(202);
    }

    @Test
    void aRecommendationIsAnsweredWhereItsStudyMayNotBeQueued() {
        String missing = PYTHON.strip().replaceFirst("\\{", "{\"tune\": \"missing\", ");

        Answer answer = call("POST", "/api/v1/recommendations", TOKENS.get(Role.LAUNCHER), missing);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("tuning")).isEqualTo("none");
        assertThat(answer.text("reason")).contains("No study is queued: source.kind: code is run only for");
    }

    @Test
    void aRevokedTokenIsGoodForNothing() {
        Answer made = call(
                "POST", "/api/v1/tokens", TOKENS.get(Role.OPERATOR), "{\"name\": \"brief\", \"role\": \"viewer\"}");
        String token = made.text("token");
        assertThat(call("GET", "/api/v1/studies", token, "").status()).isEqualTo(200);

        assertThat(call("DELETE", "/api/v1/tokens/" + made.text("id"), TOKENS.get(Role.OPERATOR), "")
                        .status())
                .isEqualTo(204);

        assertThat(call("GET", "/api/v1/studies", token, "").status()).isEqualTo(401);
    }

    @Test
    void aNameIsTakenAsLongAsNamesMayBe() {
        String name = "n".repeat(200);

        assertThat(call("POST", "/api/v1/tokens", TOKENS.get(Role.OPERATOR), """
                        {"name": "%s", "role": "viewer"}""".formatted(name))
                        .text("name"))
                .isEqualTo(name);
        assertThat(call("POST", "/api/v1/tokens", TOKENS.get(Role.OPERATOR), """
                        {"name": "%s", "role": "viewer"}""".formatted(name + "n"))
                        .status())
                .isEqualTo(422);
    }

    @Test
    void aTokenIsShownOnceAndStoredNowhere() {
        String token = make(Role.VIEWER);

        String listed = call("GET", "/api/v1/tokens", TOKENS.get(Role.OPERATOR), "")
                .raw()
                .body();

        assertThat(listed).doesNotContain(token).contains("\"token\":null");
        assertThat(token).matches("lt_[A-Za-z0-9_-]{43}");
    }

    @Test
    void whoHasATokenMayCallByAnyName() {
        Answer named = service.calls()
                .send(service.calls()
                        .request("/api/v1/studies")
                        .header("Host", "tuner.example.org")
                        .header("Authorization", "Bearer " + TOKENS.get(Role.VIEWER))
                        .GET());
        Answer foreignPage = service.calls()
                .send(service.calls()
                        .request("/api/v1/studies")
                        .header("Host", "tuner.example.org")
                        .header("Origin", "https://elsewhere.example.org")
                        .header("Authorization", "Bearer " + TOKENS.get(Role.VIEWER))
                        .GET());

        assertThat(named.status()).isEqualTo(200);
        assertThat(foreignPage.status()).isEqualTo(403);
    }

    private static String make(Role role) {
        return call(
                        "POST",
                        "/api/v1/tokens",
                        TOKENS.get(Role.OPERATOR),
                        "{\"name\": \"test\", \"role\": \"" + role.word() + "\"}")
                .text("token");
    }

    private static Answer call(String method, String path, @Nullable String token, String body) {
        HttpRequest.Builder request = service.calls().request(path);
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return service.calls()
                .send(
                        method.equals("GET")
                                ? request.GET()
                                : request.header("Content-Type", "application/json")
                                        .method(method, BodyPublishers.ofString(body)));
    }
}
