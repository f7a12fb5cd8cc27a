package io.loadertuner.service.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.json.TunerJson;
import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What happens in a study, as server-sent events read by a client that knows no more than their format. */
@Tag("database")
class StudyEventsIT {
    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    Path home;

    private RunningService service;

    @BeforeEach
    void start() {
        service = RunningService.start(home, new InstantLoader());
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void whoFollowsIsToldEveryTrialAndTheEnd() throws Exception {
        service.loader().allowRounds(0);
        String id = service.post(RunningService.descriptor("followed"));
        List<Event> events;
        try (Stream stream = follow(id, null)) {
            assertThat(stream.next()).get().extracting(Event::name).isEqualTo("trial_started");
            service.loader().allowAll();
            events = stream.rest();
        }

        JsonNode trials =
                service.calls().get("/api/v1/studies/" + id + "/trials").body().path("items");
        assertThat(numbers(events, "trial_finished"))
                .containsExactlyElementsOf(trials.valueStream()
                        .map(trial -> trial.path("number").asInt())
                        .toList());
        assertThat(events.stream().map(Event::id).toList()).isSorted().doesNotHaveDuplicates();
        assertThat(events.stream().filter(event -> event.name().equals("trial_finished")))
                .allSatisfy(event -> assertThat(event.data()
                                .path("throughput")
                                .path("samples_per_second")
                                .asDouble())
                        .isPositive());
        Event last = events.get(events.size() - 1);
        assertThat(last.name()).isEqualTo("study_finished");
        assertThat(last.data()).isEqualTo(service.study(id).body());
    }

    @Test
    void aTrialStartsBeforeItIsFinishedAndIsFinishedBeforeItIsSharpened() throws Exception {
        String id = service.post(RunningService.descriptor("ordered"));
        List<Event> events;
        try (Stream stream = follow(id, null)) {
            events = stream.rest();
        }

        for (int number : numbers(events, "trial_started")) {
            List<String> names = events.stream()
                    .filter(event -> event.data().path("number").asInt(-1) == number)
                    .map(Event::name)
                    .toList();
            assertThat(names).startsWith("trial_started", "trial_finished");
            assertThat(names.subList(2, names.size())).allMatch("trial_sharpened"::equals);
        }
        assertThat(events)
                .filteredOn(event -> event.name().equals("trial_sharpened"))
                .isNotEmpty();
    }

    @Test
    void aFailedTrialIsToldWithItsFailure() throws Exception {
        String id = service.post(RunningService.descriptor(InstantLoader.HANGING));
        List<Event> events;
        try (Stream stream = follow(id, null)) {
            events = stream.rest();
        }

        assertThat(events)
                .filteredOn(event ->
                        event.data().path("failure").path("reason").asString("").equals("timed_out"))
                .isNotEmpty()
                .anyMatch(event -> event.name().equals("trial_finished"));
    }

    @Test
    void whoComesBackIsToldTheRestAndThenNothing() throws Exception {
        String id = service.post(RunningService.descriptor("resumed"));
        service.awaitState(id, "completed");
        List<Event> all;
        try (Stream stream = follow(id, null)) {
            all = stream.rest();
        }
        assertThat(all).hasSizeGreaterThan(4);

        try (Stream stream = follow(id, String.valueOf(all.get(2).id()))) {
            assertThat(stream.rest()).isEqualTo(all.subList(3, all.size()));
        }
        HttpResponse<String> nothing = client.send(
                request(id, String.valueOf(all.get(all.size() - 1).id())).build(), BodyHandlers.ofString());
        assertThat(nothing.statusCode()).isEqualTo(204);
    }

    @Test
    void eventsOutliveTheServiceAndStreamsEndWithIt() throws Exception {
        service.loader().allowRounds(3);
        String id = service.post(RunningService.descriptor("restarted"));
        service.awaitRounds(3);
        List<Event> before;
        try (Stream stream = follow(id, null)) {
            Event first = stream.next().orElseThrow();
            service.stop();
            before = new ArrayList<>(stream.rest());
            before.add(0, first);
        }
        assertThat(before).noneMatch(event -> event.name().equals("study_finished"));

        service = RunningService.start(home, new InstantLoader());
        try (Stream stream =
                follow(id, String.valueOf(before.get(before.size() - 1).id()))) {
            List<Event> rest = stream.rest();
            assertThat(rest).noneMatch(event -> before.stream().anyMatch(old -> old.id() == event.id()));
            assertThat(rest.get(rest.size() - 1).name()).isEqualTo("study_finished");
        }
    }

    @Test
    void whoLeavesDisturbsNothing() throws Exception {
        service.loader().allowRounds(0);
        String id = service.post(RunningService.descriptor("left"));
        try (Stream stream = follow(id, null)) {
            stream.next();
        }
        service.loader().allowAll();

        service.awaitState(id, "completed");
    }

    @Test
    void aCancelledStudyEndsItsStream() throws Exception {
        service.loader().allowRounds(0);
        String id = service.post(RunningService.descriptor("cancelled"));
        service.awaitState(id, "running");
        try (Stream stream = follow(id, null)) {
            service.calls().post("/api/v1/studies/" + id + "/cancel", "");
            List<Event> events = stream.rest();
            Event last = events.get(events.size() - 1);
            assertThat(last.name()).isEqualTo("study_finished");
            assertThat(last.data().path("state").asString()).isEqualTo("cancelled");
        }
    }

    @Test
    void whatCannotBeFollowedIsRefused() throws Exception {
        assertThat(client.send(request("none", null).build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(404);
        String id = service.post(RunningService.descriptor("malformed"));
        HttpResponse<String> refused = client.send(request(id, "x").build(), BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("Last-Event-ID");
    }

    private static List<Integer> numbers(List<Event> events, String name) {
        return events.stream()
                .filter(event -> event.name().equals(name))
                .map(event -> event.data().path("number").asInt())
                .toList();
    }

    private HttpRequest.Builder request(String id, @Nullable String lastEventId) {
        HttpRequest.Builder request =
                service.calls().request("/api/v1/studies/" + id + "/events").header("Accept", "text/event-stream");
        return lastEventId == null ? request : request.header("Last-Event-ID", lastEventId);
    }

    private Stream follow(String id, @Nullable String lastEventId) throws Exception {
        HttpResponse<InputStream> answer = client.send(request(id, lastEventId).build(), BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).get().asString().startsWith("text/event-stream");
        return new Stream(answer.body());
    }

    private record Event(long id, String name, JsonNode data) {}

    /** Reads blocks of {@code field:value} lines. */
    private static final class Stream implements AutoCloseable {
        private final BufferedReader lines;

        Stream(InputStream body) {
            this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        }

        /** Empty at the end of the stream. */
        Optional<Event> next() throws IOException {
            String id = null;
            String name = "message";
            StringBuilder data = new StringBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty() && id != null) {
                    return Optional.of(new Event(
                            Long.parseLong(id), name, TunerJson.mapper().readTree(data.toString())));
                }
                String value = line.substring(line.indexOf(':') + 1);
                if (line.startsWith("id:")) {
                    id = value;
                } else if (line.startsWith("event:")) {
                    name = value;
                } else if (line.startsWith("data:")) {
                    data.append(value);
                }
            }
            return Optional.empty();
        }

        List<Event> rest() throws IOException {
            List<Event> events = new ArrayList<>();
            for (Optional<Event> event = next(); event.isPresent(); event = next()) {
                events.add(event.get());
            }
            return events;
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }
}
