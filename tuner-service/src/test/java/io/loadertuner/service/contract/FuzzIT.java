package io.loadertuner.service.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls;
import io.loadertuner.service.ServiceCalls.Answer;
import io.loadertuner.service.contract.Contract.Call;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Calls made by the contract, as it wants them and with every kind of flaw: none is answered by an error of the service, what
 * the contract refuses is refused, and every answer is as the contract says. What it tells with a failure is to be made again
 * with the same {@code loader-tuner.test.fuzz.seed}, up to the order in which studies end.
 */
@Tag("database")
class FuzzIT {
    private static final int CALLS = Integer.getInteger("loader-tuner.test.fuzz.calls", 1000);
    private static final long SEED = Long.getLong("loader-tuner.test.fuzz.seed", 1);
    private static final int MOST_TOLD = 25;
    private static final String TOKEN = "lt_" + "f".repeat(32);

    private final Contract contract = Contract.read();

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingThatIsSentBreaksTheService(boolean tokens) throws IOException {
        List<String> headers = tokens ? List.of("Authorization: Bearer " + TOKEN) : List.of();
        for (String there : List.of("a", "train", "photos", "default", "none", "0", "1", "50")) {
            Files.createDirectories(folder.resolve("data").resolve(there));
        }
        Files.createDirectories(folder.resolve("code").resolve("loader"));
        try (RunningService service = RunningService.start(
                folder.resolve("home"),
                new InstantLoader(),
                "loader-tuner.data-roots=" + folder.resolve("data"),
                "loader-tuner.code-roots=" + folder.resolve("code"),
                "loader-tuner.security.studies-per-hour=100000",
                tokens
                        ? "loader-tuner.security.operator-token=" + TOKEN
                        : "loader-tuner.security.code-role=operator")) {
            Seen seen = new Seen(service, tokens);
            String failed = seen.measured(InstantLoader.HANGING);
            seen.measured("a");
            CallMaker maker = new CallMaker(
                    contract,
                    new Random(2 * SEED + (tokens ? 1 : 0)),
                    headers,
                    new CallMaker.Known(
                            failed,
                            seen.failedTrial(failed),
                            seen.cancelled("b"),
                            seen.schedule("c"),
                            seen.schedule("d")));
            AnswerFaults faults = new AnswerFaults(contract);

            List<String> told = new ArrayList<>();
            Set<String> succeeded = new TreeSet<>();
            int refused = 0;
            for (int count = 0; count < CALLS / 2; count++) {
                FuzzedCall call = maker.next();
                RawAnswer answer = RawAnswer.to(call, service.calls().base().getPort());
                maker.learn(call, answer);
                List<String> found = faults.of(call, answer);
                if (!found.isEmpty() && told.size() < MOST_TOLD) {
                    told.add("%d. %s%n   %s%n   %d %s".formatted(count, call, found, answer.status(), answer.text()));
                }
                if (answer.status() < 300
                        && call.method().equals(call.described().method())) {
                    succeeded.add(call.described().name());
                } else if (answer.status() >= 400) {
                    refused++;
                }
            }

            assertThat(String.join("\n", told)).isEmpty();
            assertThat(succeeded)
                    .as("calls that came to something")
                    .containsExactlyInAnyOrderElementsOf(
                            contract.calls().stream().map(Call::name).collect(Collectors.toSet()));
            assertThat(refused).isBetween(CALLS / 10, CALLS / 2 * 9 / 10);
            seen.isHealthy();
        }
    }

    /** The service beside the calls that are made up. */
    private record Seen(RunningService service, boolean tokens) {
        private Answer send(String method, String path, String body) {
            ServiceCalls calls = service.calls();
            var request = calls.request(path)
                    .header("Content-Type", "application/json")
                    .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
            if (tokens) {
                request.header("Authorization", "Bearer " + TOKEN);
            }
            return calls.send(request);
        }

        /** The id of a study of that dataset that has come to its end. */
        String measured(String dataset) {
            Answer answer = send("POST", "/api/v1/studies?wait=60", RunningService.descriptor(dataset));
            assertThat(answer.text("state")).isEqualTo("completed");
            return answer.text("id");
        }

        /** The id of a schedule of that dataset that is not due soon. */
        String schedule(String dataset) {
            return send(
                            "POST",
                            "/api/v1/schedules",
                            "{\"study\": " + RunningService.descriptor(dataset) + ", \"cron\": \"0 0 1 1 *\"}")
                    .text("id");
        }

        /** The id of a study of that dataset that was cancelled. */
        String cancelled(String dataset) {
            service.loader().allowRounds(0);
            String id = send("POST", "/api/v1/studies", RunningService.descriptor(dataset))
                    .text("id");
            Answer answer = send("POST", "/api/v1/studies/" + id + "/cancel", "{}");
            service.loader().allowAll();
            assertThat(answer.text("state")).isEqualTo("cancelled");
            return id;
        }

        int failedTrial(String study) {
            return send("GET", "/api/v1/studies/" + study + "/trials", "")
                    .body()
                    .path("items")
                    .valueStream()
                    .filter(trial -> trial.path("state").asString().equals("failed"))
                    .map(trial -> trial.path("number"))
                    .mapToInt(JsonNode::asInt)
                    .findFirst()
                    .orElseThrow();
        }

        void isHealthy() {
            for (JsonNode queued : send("GET", "/api/v1/studies?state=queued&limit=200", "")
                    .body()
                    .path("items")) {
                send("POST", "/api/v1/studies/" + queued.path("id").asString() + "/cancel", "{}");
            }
            measured("afterwards");
            assertThat(send("GET", "/actuator/health/liveness", "").status()).isEqualTo(200);
            assertThat(send("GET", "/actuator/health/readiness", "").status()).isEqualTo(200);
        }
    }
}
