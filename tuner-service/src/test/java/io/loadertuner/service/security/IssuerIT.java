package io.loadertuner.service.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of an OpenID Connect issuer, which is a small server of the test's own. */
class IssuerIT {
    private static final String STUDIES = "/api/v1/studies";

    @TempDir
    static Path home;

    private static HttpServer server;
    private static String issuer;
    private static RSAKey key;
    private static RunningService service;

    @BeforeAll
    static void start() throws Exception {
        key = new RSAKeyGenerator(2048).keyID("one").generate();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer = "http://127.0.0.1:" + server.getAddress().getPort();
        serve("/.well-known/openid-configuration", """
                {"issuer": "%s", "jwks_uri": "%s/keys", "subject_types_supported": ["public"]}
                """.formatted(issuer, issuer));
        serve("/keys", new JWKSet(key.toPublicJWK()).toString());
        server.start();
        service = RunningService.start(
                home,
                new InstantLoader(),
                "spring.security.oauth2.resourceserver.jwt.issuer-uri=" + issuer,
                "loader-tuner.security.roles-claim=groups");
    }

    @AfterAll
    static void stop() {
        service.close();
        server.stop(0);
    }

    @Test
    void theRolesOfATokenCount() throws Exception {
        assertThat(get(token("viewer")).status()).isEqualTo(200);
        assertThat(post(token("viewer")).status()).isEqualTo(403);
        assertThat(post(token("other", "launcher")).status()).isEqualTo(202);
        assertThat(tokens(token("launcher")).status()).isEqualTo(403);
        assertThat(tokens(token("operator")).status()).isEqualTo(200);
        assertThat(get(token("OPERATOR")).status()).isEqualTo(403);
        assertThat(get(token()).status()).isEqualTo(403);
    }

    @Test
    void whoeverTheTokenNamesOrDoesNotNameMayAsk() throws Exception {
        Instant later = Instant.now().plusSeconds(600);

        assertThat(post(signedOf(null, key, issuer, later, "launcher")).status())
                .isEqualTo(202);
        assertThat(post(signedOf("s".repeat(300), key, issuer, later, "launcher"))
                        .status())
                .isEqualTo(202);
    }

    @Test
    void whatTheIssuerDidNotSignOrNoLongerStandsForIsRefused() throws Exception {
        RSAKey another = new RSAKeyGenerator(2048).keyID("one").generate();
        Instant later = Instant.now().plusSeconds(600);

        assertThat(get(signed(another, issuer, later, "operator")).status()).isEqualTo(401);
        assertThat(get(signed(key, "http://elsewhere.example.org", later, "operator"))
                        .status())
                .isEqualTo(401);
        assertThat(get(signed(key, issuer, Instant.now().minusSeconds(600), "operator"))
                        .status())
                .isEqualTo(401);
        assertThat(get("no.token.atall").status()).isEqualTo(401);
    }

    @Test
    void ownTokensAreTakenBesides() throws Exception {
        Answer made = service.calls()
                .send(service.calls()
                        .request("/api/v1/tokens")
                        .header("Authorization", "Bearer " + token("operator"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{\"name\": \"own\", \"role\": \"viewer\"}")));

        assertThat(made.status()).isEqualTo(201);
        assertThat(get(made.text("token")).status()).isEqualTo(200);
    }

    @Test
    void anIssuerThatDoesNotAnswerIsNotBlamedOnTheToken(@TempDir Path other) throws Exception {
        try (RunningService alone = RunningService.start(
                other,
                new InstantLoader(),
                // Nothing can listen on this port.
                "spring.security.oauth2.resourceserver.jwt.issuer-uri=http://127.0.0.1:1")) {
            Answer answer = alone.calls().post("/page/session", "{\"token\": \"" + token("viewer") + "\"}");

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text("type")).endsWith("tokens-unavailable");
        }
    }

    private static void serve(String path, String json) {
        server.createContext(path, exchange -> {
            byte[] body = json.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            try (OutputStream answer = exchange.getResponseBody()) {
                answer.write(body);
            }
        });
    }

    private static String token(String... roles) throws JOSEException {
        return signed(key, issuer, Instant.now().plusSeconds(600), roles);
    }

    private static String signed(RSAKey by, String from, Instant until, String... roles) throws JOSEException {
        return signedOf("somebody", by, from, until, roles);
    }

    private static String signedOf(@Nullable String subject, RSAKey by, String from, Instant until, String... roles)
            throws JOSEException {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("one").build(),
                new JWTClaimsSet.Builder()
                        .issuer(from)
                        .subject(subject)
                        .expirationTime(Date.from(until))
                        .claim("groups", List.of(roles))
                        .build());
        token.sign(new RSASSASigner(by));
        return token.serialize();
    }

    private static Answer get(String token) {
        return service.calls()
                .send(service.calls()
                        .request(STUDIES)
                        .header("Authorization", "Bearer " + token)
                        .GET());
    }

    private static Answer tokens(String token) {
        return service.calls()
                .send(service.calls()
                        .request("/api/v1/tokens")
                        .header("Authorization", "Bearer " + token)
                        .GET());
    }

    private static Answer post(String token) {
        return service.calls()
                .send(service.calls()
                        .request(STUDIES)
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(RunningService.descriptor("issued"))));
    }
}
