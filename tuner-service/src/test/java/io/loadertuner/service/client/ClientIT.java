package io.loadertuner.service.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.machine.MachineInspector;
import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Training code with the client that the service ships, the service being up, slow, broken and absent. */
class ClientIT {
    private static final String ASK = """
            print(json.dumps(loader_tuner.loader_config("measured", default={"batch_size": 7, "num_workers": 1})))
            """;
    private static final String DEFAULT = "{\"batch_size\":7,\"num_workers\":1}";

    @TempDir
    static Path home;

    @TempDir
    Path folder;

    private static RunningService service;

    @BeforeAll
    static void start() {
        service = RunningService.start(home, new InstantLoader());
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void copyTheClient() throws Exception {
        Answer file = service.calls().get("/client/loader_tuner.py");
        assertThat(file.status()).isEqualTo(200);
        assertThat(file.contentType()).startsWith("text/x-python");
        Files.writeString(folder.resolve("loader_tuner.py"), file.raw().body());
    }

    @Test
    void whatWasMeasuredComesAsKeywordArguments() throws Exception {
        String id = service.post(RunningService.descriptor("measured"));
        JsonNode config = service.awaitState(id, "completed")
                .body()
                .path("recommendation")
                .path("config");

        JsonNode settings = run(ASK, service.calls().base().toString());

        assertThat(settings.path("num_workers")).isEqualTo(config.path("num_workers"));
        assertThat(settings.path("batch_size")).isEqualTo(config.path("batch_size"));
        assertThat(settings.path("prefetch_factor")).isEqualTo(config.path("prefetch_factor"));
        assertThat(settings.has("non_blocking")).isFalse();
        assertThat(new TrainingScript(folder).logged())
                .filteredOn(line -> line.startsWith("INFO:loader_tuner:"))
                .hasSize(1)
                .allMatch(line -> line.contains("exact"));
    }

    @Test
    void whereNothingWasMeasuredTheDefaultStays() throws Exception {
        String url = service.calls().base().toString();

        assertThat(run(ASK.replace("measured", "unknown"), url).toString()).isEqualTo(DEFAULT);
        JsonNode start = run("print(json.dumps(loader_tuner.loader_config(\"unknown\")))", url);
        assertThat(start.path("num_workers").isInt()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://127.0.0.1:1", "http://no-such-host.invalid", "no address at all", "file:///etc/hostname"
            })
    void withoutAServiceTheDefaultIsUsed(String url) throws Exception {
        assertThat(run(ASK, url).toString()).isEqualTo(DEFAULT);
        assertThat(run("print(json.dumps(loader_tuner.loader_config(\"measured\")))", url)
                        .toString())
                .isEqualTo("{}");
    }

    @Test
    void aServiceThatNeverAnswersIsNotWaitedFor() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            assertThat(run(ASK, "http://127.0.0.1:" + silent.getLocalPort()).toString())
                    .isEqualTo(DEFAULT);
        }
    }

    @Test
    void anAnswerThatNeverEndsIsNotWaitedFor() throws Exception {
        // No time-out of a socket ends that: something arrives all the time.
        HttpServer dribbling = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        dribbling.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream answer = exchange.getResponseBody()) {
                while (true) {
                    answer.write(' ');
                    answer.flush();
                    LockSupport.parkNanos(100_000_000);
                }
            }
        });
        dribbling.start();
        try {
            assertThat(run(ASK, "http://127.0.0.1:" + dribbling.getAddress().getPort())
                            .toString())
                    .isEqualTo(DEFAULT);
        } finally {
            dribbling.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no json",
                "[]",
                "{\"status\": \"exact\"}",
                "{\"status\": \"exact\", \"reason\": \"\", \"config\": null}",
            })
    void whatMakesNoSenseIsNotUsed(String body) throws Exception {
        HttpServer broken = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        broken.createContext("/", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(body.isEmpty() ? 500 : 200, bytes.length == 0 ? -1 : bytes.length);
            try (OutputStream answer = exchange.getResponseBody()) {
                answer.write(bytes);
            }
        });
        broken.start();
        try {
            assertThat(run(ASK, "http://127.0.0.1:" + broken.getAddress().getPort())
                            .toString())
                    .isEqualTo(DEFAULT);
        } finally {
            broken.stop(0);
        }
    }

    @Test
    void aStudyIsWaitedForAndARefusalIsToldInTheServicesWords() throws Exception {
        String code = """
                descriptor = {"name": "tuned", "source": {"kind": "synthetic", "samples": 1000},
                              "space": {"num_workers": [0, 1], "batch_size": [8]}}
                study = loader_tuner.tune(descriptor, wait=60)
                try:
                    loader_tuner.tune({**descriptor, "nmae": "x"})
                except loader_tuner.TuningError as error:
                    print(json.dumps([study["state"], str(error)]))
                """;

        JsonNode told = run(code, service.calls().base().toString());

        assertThat(told.get(0).asString()).isEqualTo("completed");
        assertThat(told.get(1).asString()).contains("nmae");
    }

    @Test
    void theMachinesFactsAreThoseOfThisProcess() throws Exception {
        String code = """
                import os
                os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
                print(json.dumps(loader_tuner.machine_facts()))
                """;

        JsonNode facts = facts(code, "LOCAL_WORLD_SIZE", "1", "WORLD_SIZE", "24");
        JsonNode ofRanks = facts(code, "SLURM_NTASKS_PER_NODE", "3", "WORLD_SIZE", "24");

        assertThat(facts.path("ranks").asInt()).isEqualTo(1);
        assertThat(ofRanks.path("ranks").asInt()).isEqualTo(3);
        Machine machine = MachineInspector.live(System.getenv()).inspect();
        // Each rank is bound to a core of its own, as far as there are so many.
        assertThat(facts.path("cpus").asDouble()).isEqualTo(Math.min(1, machine.usableCores()));
        assertThat(ofRanks.path("cpus").asDouble()).isEqualTo(Math.min(3, machine.usableCores()));
        assertThat(facts.path("gpu").asString()).isEqualTo("none");
        assertThat(facts.path("memory_bytes").asLong()).isEqualTo(machine.memoryBytes());
    }

    @Test
    void aProxyIsNotAskedForThisMachine() throws Exception {
        String code = "print(json.dumps(loader_tuner.loader_config(\"unknown\")))";

        JsonNode start = new TrainingScript(folder)
                .run(
                        code,
                        Map.of(
                                "LOADER_TUNER_URL", service.calls().base().toString(),
                                "http_proxy", "http://127.0.0.1:1",
                                "no_proxy", ""));

        assertThat(start.path("num_workers").isInt()).isTrue();
    }

    private JsonNode facts(String code, String... variables) throws Exception {
        return new TrainingScript(folder)
                .run(code, Map.of(variables[0], variables[1], variables[2], variables[3], "CUDA_VISIBLE_DEVICES", ""));
    }

    private JsonNode run(String code, String url) throws Exception {
        return new TrainingScript(folder).run(code, Map.of("LOADER_TUNER_URL", url));
    }
}
