package io.loadertuner.service;

import io.loadertuner.core.json.TunerJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/** Calls a service over HTTP and reads what it answers. */
public final class ServiceCalls {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    static {
        // So that tests can name a foreign host. Read once, when the first client is made.
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
    }

    private final URI base;
    private final HttpClient client = HttpClient.newHttpClient();

    public ServiceCalls(URI base) {
        this.base = base;
    }

    /**
     * An answer.
     *
     * @param body null JSON where it is empty
     */
    public record Answer(int status, String contentType, JsonNode body, HttpResponse<String> raw) {

        public String text(String field) {
            return body.path(field).asString("");
        }

        public String header(String name) {
            return raw.headers().firstValue(name).orElse("");
        }
    }

    public URI base() {
        return base;
    }

    public Answer get(String path) {
        return send(request(path).GET());
    }

    public Answer post(String path, String json) {
        return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json)));
    }

    /** A request to be completed by the caller. */
    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(base.resolve(path)).timeout(TIMEOUT);
    }

    public Answer send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> raw = client.send(request.build(), BodyHandlers.ofString());
            String type = raw.headers().firstValue("Content-Type").orElse("");
            JsonNode body = type.contains("json")
                    ? TunerJson.mapper().readTree(raw.body())
                    : TunerJson.mapper().nullNode();
            return new Answer(raw.statusCode(), type, body, raw);
        } catch (IOException unanswered) {
            throw new UncheckedIOException(unanswered);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Looks at an address until what it answers is as wanted. */
    public Answer await(String path, Duration limit, Predicate<JsonNode> wanted) {
        return Awaitility.await(path)
                .atMost(limit)
                .pollInterval(BETWEEN_LOOKS)
                .pollInSameThread()
                .until(() -> get(path), answer -> answer.status() == 200 && wanted.test(answer.body()));
    }

    /** Waits until a study is in that state. */
    public Answer awaitState(String studyId, String state, Duration limit) {
        return await(
                "/api/v1/studies/" + studyId,
                limit,
                study -> study.path("state").asString().equals(state));
    }
}
