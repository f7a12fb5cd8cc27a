package io.loadertuner.service.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a service that wants tokens. */
class LoginIT {
    private static final Pattern CSRF = Pattern.compile("name=\"csrf-token\" content=\"([^\"]+)\"");

    @TempDir
    static Path home;

    private static String viewer;
    private static String launcher;
    private static String operator;
    private static RunningService service;

    @BeforeAll
    static void start() {
        try (RunningService open = RunningService.start(home, new InstantLoader())) {
            viewer = make(open, "test-viewer", "viewer");
            launcher = make(open, "test-launcher", "launcher");
            operator = make(open, "test-operator", "operator");
        }
        service = RunningService.start(home, new InstantLoader());
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void aPageIsShownToWhoeverHasLoggedIn() {
        Answer nobody = get("/studies?q=a", "");
        assertThat(nobody.status()).isEqualTo(302);
        assertThat(nobody.header("Location")).isEqualTo("/login?from=%2Fstudies%3Fq%3Da");
        assertThat(get("/login", "").status()).isEqualTo(200);
        assertThat(get("/assets/page.css", "").status()).isEqualTo(200);
        assertThat(logIn("lt_made-up").status()).isEqualTo(401);

        Answer in = logIn(viewer);

        assertThat(in.status()).isEqualTo(204);
        assertThat(in.header("Set-Cookie"))
                .startsWith("loader-tuner-token=" + viewer + ";")
                .contains("HttpOnly", "SameSite=Lax", "Path=/")
                .doesNotContain("Secure", "Max-Age", "Expires");
        assertThat(get("/studies", viewer).raw().body()).contains("test-viewer").doesNotContain(viewer);
    }

    @Test
    void overTlsTheCookieIsSentOverTlsOnly() {
        String host = service.calls().base().getAuthority();
        Answer in = service.calls()
                .send(service.calls()
                        .request("/page/session")
                        .header("Content-Type", "application/json")
                        .header("Origin", "https://" + host)
                        .POST(BodyPublishers.ofString("{\"token\": \"" + viewer + "\"}")));

        assertThat(in.header("Set-Cookie")).contains("Secure");
    }

    @Test
    void whatACookieShowsChangesNothingUnlessThePageAsked() {
        String study = RunningService.descriptor("by-cookie");
        assertThat(post("/api/v1/studies", launcher, null, study).status()).isEqualTo(403);
        assertThat(post("/api/v1/studies", launcher, null, study).text("type")).endsWith(":forged");
        assertThat(post("/api/v1/studies", launcher, csrf(viewer), study).status())
                .isEqualTo(403);

        Answer posted = post("/api/v1/studies", launcher, csrf(launcher), study);

        assertThat(posted.status()).isEqualTo(202);
        assertThat(get("/studies?q=by-cookie", viewer).raw().body()).contains("test-launcher");
        Answer asViewer = post("/api/v1/studies", viewer, csrf(viewer), study);
        assertThat(asViewer.status()).isEqualTo(403);
        assertThat(asViewer.text("type")).endsWith(":forbidden");
        assertThat(get("/studies", viewer).raw().body()).doesNotContain("/studies/new");
    }

    @Test
    void aRevokedTokensCookieIsGoodForNothingAndNotInTheWay() {
        Answer made = asOperator("{\"name\": \"brief\", \"role\": \"viewer\"}");
        String brief = made.text("token");
        assertThat(get("/studies", brief).status()).isEqualTo(200);

        service.calls()
                .send(service.calls()
                        .request("/api/v1/tokens/" + made.text("id"))
                        .header("Authorization", "Bearer " + operator)
                        .header("Content-Type", "application/json")
                        .DELETE());

        assertThat(get("/studies", brief).status()).isEqualTo(302);
        assertThat(get("/login", brief).status()).isEqualTo(200);
    }

    @Test
    void somebodyLogsInLooksAndLogsOut() {
        try (Browser browser = Browser.open(service.calls().base())) {
            browser.visit("/machines");
            assertThat(browser.address()).isEqualTo("/login?from=%2Fmachines");
            browser.requireAccessible();
            browser.type("#token", "lt_wrong");
            browser.press("#login button");
            browser.read("#notice", "this token is not known here, or was revoked");
            browser.type("#token", viewer);
            browser.press("#login button");
            browser.awaitAddress("/machines");
            assertThat(browser.see(".who").getText()).contains("test-viewer");
            assertThat(browser.run("return document.cookie")).isEqualTo("");
            browser.requireAccessible();

            browser.press("[data-log-out]");
            browser.awaitAddress("/login");
            browser.visit("/studies");
            assertThat(browser.address()).startsWith("/login");
            assertThat(browser.complaints()).allMatch(complaint -> complaint.contains("401"));
        }
    }

    private static Answer asOperator(String json) {
        return service.calls()
                .send(service.calls()
                        .request("/api/v1/tokens")
                        .header("Authorization", "Bearer " + operator)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(json)));
    }

    private static String make(RunningService open, String name, String role) {
        Answer made = open.calls().post("/api/v1/tokens", "{\"name\": \"" + name + "\", \"role\": \"" + role + "\"}");
        assertThat(made.status()).isEqualTo(201);
        return made.text("token");
    }

    private static Answer logIn(String token) {
        return service.calls().post("/page/session", "{\"token\": \"" + token + "\"}");
    }

    private static String csrf(String token) {
        Matcher shown = CSRF.matcher(get("/studies", token).raw().body());
        assertThat(shown.find()).isTrue();
        return shown.group(1);
    }

    private static Answer get(String path, String token) {
        return service.calls()
                .send(request(path, token).header("Accept", "text/html").GET());
    }

    private static Answer post(String path, String token, @Nullable String csrf, String json) {
        HttpRequest.Builder request = request(path, token).header("Content-Type", "application/json");
        if (csrf != null) {
            request.header("X-CSRF-Token", csrf);
        }
        return service.calls().send(request.POST(BodyPublishers.ofString(json)));
    }

    private static HttpRequest.Builder request(String path, String token) {
        HttpRequest.Builder request = service.calls().request(path);
        return token.isEmpty() ? request : request.header("Cookie", "loader-tuner-token=" + token);
    }
}
