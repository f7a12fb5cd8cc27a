package io.loadertuner.service.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.loadertuner.service.ServiceProcess;
import io.loadertuner.service.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Two packaged services on one PostgreSQL, which take turns on this machine with the real DataLoader; one is killed. */
class ReplicasOfTheRealLoaderIT {
    private static final Duration STUDIES = Duration.ofMinutes(4);
    private static final int COUNT = 5;

    @TempDir
    Path folder;

    private ServiceProcess start(String home) {
        return ServiceProcess.start(
                folder.resolve(home),
                Stream.concat(Stream.of(TestDatabase.postgresql(folder)), Stream.of("loader-tuner.lease=2s"))
                        .map(property -> "--" + property)
                        .toArray(String[]::new));
    }

    @Test
    void ofFiveStudiesNoneIsLostAndNoTrialIsDoubled() {
        try (ServiceProcess kept = start("kept");
                ServiceProcess victim = start("victim")) {
            List<String> ids = IntStream.range(0, COUNT)
                    .mapToObj(number -> (number % 2 == 0 ? kept : victim)
                            .calls()
                            .post("/api/v1/studies", """
                                    {"name": "real-%d", "source": {"kind": "synthetic", "samples": 2000,
                                     "sample_milliseconds": 1}, "space": {"num_workers": [0, 1]},
                                     "baseline": {"batch_size": 8}, "budget": {"seconds": 30, "trials": 3}}""".formatted(number))
                            .text("id"))
                    .toList();
            await().atMost(STUDIES).until(() -> ids.stream().anyMatch(id -> isOver(kept, id)));

            victim.kill();

            for (String id : ids) {
                JsonNode study =
                        kept.calls().awaitState(id, "completed", STUDIES).body();
                assertThat(study.at("/recommendation/config").isObject()).isTrue();
                List<String> configs = kept.calls()
                        .get("/api/v1/studies/" + id + "/trials")
                        .body()
                        .path("items")
                        .valueStream()
                        .map(trial -> trial.path("config").toString())
                        .toList();
                assertThat(configs).isNotEmpty().doesNotHaveDuplicates();
            }
        }
    }

    private static boolean isOver(ServiceProcess service, String id) {
        return service.calls().get("/api/v1/studies/" + id).text("state").equals("completed");
    }
}
