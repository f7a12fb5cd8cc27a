package io.loadertuner.service.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.loadertuner.service.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Many trials over a dataset in whose workers one of ten misfortunes strikes at random, while the service is killed at
 * random moments. Short in the build; {@code mvn verify -Psoak} runs it in full, docs/soak.md has what it showed.
 */
class SoakIT {
    private static final int TRIALS = Integer.getInteger("loader-tuner.test.soak.trials", 10);
    private static final int KILLS = Integer.getInteger("loader-tuner.test.soak.kills", 1);
    private static final int SECONDS_OF_A_STUDY = Integer.getInteger("loader-tuner.test.soak.seconds", 20);
    private static final long SEED = Long.getLong("loader-tuner.test.soak.seed", 1);

    private static final Duration STUDY = Duration.ofMinutes(3);
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Pattern TOTAL = Pattern.compile("Total\\s+\\d+\\s+(?<bytes>\\d+)\\s*");
    private static final int TRIALS_OF_A_STUDY = 8;
    private static final long TOLERATED_GROWTH_BYTES = 12L << 20;

    private final Random random = new Random(SEED);
    private final MarkedProcesses processes = new MarkedProcesses();
    private final List<String> studies = new ArrayList<>();

    @TempDir
    Path folder;

    @Test
    void whateverStrikesNothingIsLostOrLeft() throws Exception {
        Set<String> sharedBefore = sharedMemory();
        int trials = 0;
        for (int kill = 1; kill <= KILLS; kill++) {
            try (ServiceProcess service = start()) {
                while (trials < TRIALS / 2 * kill / KILLS) {
                    trials += runStudy(service);
                }
                String last = post(service);
                await().atMost(STUDY).until(() -> !trialsOf(service, last).isEmpty());
                TimeUnit.MILLISECONDS.sleep(random.nextInt(4_000));
                service.kill();
                await().atMost(SOON)
                        .untilAsserted(() -> assertThat(processes.below()).isEmpty());
            }
        }
        try (ServiceProcess service = start()) {
            awaitEnd(service, studies.get(studies.size() - 1));
            long heapBefore = liveHeapBytes(service);
            long descriptorsBefore = descriptors(service);
            int trialsBefore = countTrials(service);

            while (countTrials(service) < Math.max(TRIALS, trialsBefore + 1)) {
                runStudy(service);
            }

            Map<String, Integer> outcomes = outcomes(service);
            long heapAfter = liveHeapBytes(service);
            String figures =
                    "%d studies, %d trials, %d kills: %s; live heap %d → %d KiB and %d → %d descriptors in %d trials"
                            .formatted(
                                    studies.size(),
                                    countTrials(service),
                                    KILLS,
                                    outcomes,
                                    heapBefore >> 10,
                                    heapAfter >> 10,
                                    descriptorsBefore,
                                    descriptors(service),
                                    countTrials(service) - trialsBefore);
            Files.writeString(
                    Files.createDirectories(Path.of("target", "test-environment"))
                            .resolve("soak.txt"),
                    figures + "\n");

            assertThat(outcomes.keySet()).doesNotContain("failed null", "running");
            assertThat(heapAfter - heapBefore).as(figures).isLessThan(TOLERATED_GROWTH_BYTES);
            assertThat(descriptors(service)).as(figures).isLessThan(descriptorsBefore + 10);
            assertThat(processes.below()).isEmpty();
        }
        assertThat(processes.below()).isEmpty();
        assertThat(sharedMemory()).isSubsetOf(sharedBefore);
    }

    private int runStudy(ServiceProcess service) {
        String id = post(service);
        awaitEnd(service, id);
        return trialsOf(service, id).size();
    }

    private String post(ServiceProcess service) {
        String id = service.calls()
                .post("/api/v1/studies", """
                        {"name": "misfortunes-%d", "source": {"kind": "python", "factory": "misfortunes:misfortunate",
                         "arguments": {"seed": %d, "draws": "%s"}},
                         "space": {"num_workers": [0, 1, 2, 3], "prefetch_factor": [1, 2, 4]},
                         "sampler": "random", "baseline": {"batch_size": 8},
                         "budget": {"seconds": %d, "trials": %d}}""".formatted(
                                studies.size(), SEED, folder.resolve("draws"), SECONDS_OF_A_STUDY, TRIALS_OF_A_STUDY))
                .text("id");
        studies.add(id);
        return id;
    }

    private static void awaitEnd(ServiceProcess service, String study) {
        await().atMost(STUDY)
                .until(() -> Set.of("completed", "failed")
                        .contains(
                                service.calls().get("/api/v1/studies/" + study).text("state")));
    }

    private int countTrials(ServiceProcess service) {
        return studies.stream()
                .mapToInt(study -> trialsOf(service, study).size())
                .sum();
    }

    /** How often each state came, with the reason where there is one. A trial that was run twice fails. */
    private Map<String, Integer> outcomes(ServiceProcess service) {
        Map<String, Integer> outcomes = new TreeMap<>();
        for (String study : studies) {
            Map<JsonNode, Integer> numbers = new LinkedHashMap<>();
            for (JsonNode trial : trialsOf(service, study)) {
                assertThat(numbers.put(trial.get("config"), trial.get("number").asInt()))
                        .as("%s", trial)
                        .isNull();
                String state = trial.get("state").asString();
                JsonNode reason = trial.at("/failure/reason");
                outcomes.merge(state.equals("failed") ? "failed " + reason.asString("null") : state, 1, Integer::sum);
            }
        }
        return outcomes;
    }

    private static List<JsonNode> trialsOf(ServiceProcess service, String study) {
        return service.calls()
                .get("/api/v1/studies/" + study + "/trials?limit=200")
                .body()
                .get("items")
                .valueStream()
                .toList();
    }

    private ServiceProcess start() {
        ServiceProcess service = ServiceProcess.launch(
                folder.resolve("home"),
                processes.environment(),
                "--loader-tuner.python.passed-environment=" + MarkedProcesses.VARIABLE,
                "--loader-tuner.code-roots=" + TestPython.USER_CODE,
                "--loader-tuner.measuring-lock=" + folder.resolve("measuring.lock"),
                "--loader-tuner.limits.startup=8s",
                "--loader-tuner.limits.batch=3s");
        service.awaitListening();
        return service;
    }

    /** What a collection of the whole heap leaves. */
    private static long liveHeapBytes(ServiceProcess service) throws IOException {
        Process histogram = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(service.handle().pid()),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        return histogram
                .inputReader()
                .lines()
                .map(TOTAL::matcher)
                .filter(Matcher::matches)
                .mapToLong(total -> Long.parseLong(total.group("bytes")))
                .findFirst()
                .orElseThrow();
    }

    private static long descriptors(ServiceProcess service) throws IOException {
        try (Stream<Path> open =
                Files.list(Path.of("/proc", String.valueOf(service.handle().pid()), "fd"))) {
            return open.count();
        }
    }

    private static Set<String> sharedMemory() throws IOException {
        try (Stream<Path> segments = Files.list(Path.of("/dev/shm"))) {
            return segments.map(segment -> segment.getFileName().toString()).collect(Collectors.toSet());
        }
    }
}
