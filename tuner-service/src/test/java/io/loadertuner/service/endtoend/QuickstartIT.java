package io.loadertuner.service.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.loadertuner.service.ServiceCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's first command as a user runs it, from making the images on; the jar is the one that was just built. */
@Tag("rates")
class QuickstartIT {
    private static final Path COMMAND = Path.of("..", "examples", "quickstart.py");
    private static final Path JAR = Path.of("target", "tuner-service.jar");
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final Duration SOON = Duration.ofSeconds(15);
    private static final String RATE = "\\d+(\\.\\d)?/s( \\[\\S+\\])? in \\d+ rounds?";

    private final MarkedProcesses processes = new MarkedProcesses();

    @TempDir
    Path folder;

    @Test
    void theCommandOfTheReadmePrintsARecommendationWithItsEvidenceAndLeavesNothingRunning() throws Exception {
        Process quickstart = start();
        try {
            await().atMost(LIMIT).until(() -> printed().contains("Study ") || !quickstart.isAlive());
            ServiceCalls calls = new ServiceCalls(address());
            assertThat(calls.get("/api/v1/studies/" + study()).text("dataset")).isEqualTo("quickstart-images");
            // Beside the command itself, what loads: only so does it say something that nothing is left in the end.
            await().atMost(SOON)
                    .until(() -> processes.below().size() > 1
                            && processes.alive().size() > processes.below().size());

            assertThat(quickstart.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as(printed())
                    .isTrue();
        } finally {
            quickstart.destroy();
            quickstart.waitFor();
        }

        assertThat(quickstart.exitValue()).as(printed()).isZero();
        assertThat(printed())
                .contains("Making 400 images in " + folder)
                .doesNotContain("Building the service")
                .containsPattern("(?m)^ +1  0 workers, batch 64 +\\d")
                .containsPattern("(?m)^  yours +0 workers, batch 64: " + RATE)
                .containsPattern("(?m)^  objective +samples per second of the loader alone")
                .containsPattern("(?m)^  device +(cpu|cuda:0)$")
                .contains("How it came to that:\n  - baseline 0 workers, batch 64: ")
                .contains("curl '" + address() + "/api/v1/recommendations?dataset=quickstart-images&loader=pytorch'")
                .containsPattern("(?m)^All about it: +" + address() + "/api/v1/studies/" + study() + "$");
        String recommended =
                found("(?m)^Recommended for quickstart-images: (.+)$").group(1);
        assertThat(printed()).containsPattern("(?m)^  recommended +" + Pattern.quote(recommended) + ": " + RATE);
        if (recommended.equals("0 workers, batch 64")) {
            assertThat(printed()).containsPattern("(?m)^  outcome +no measurable improvement, yours is kept$");
        } else {
            MatchResult ratio = found("(?m)^  ratio +(\\S+) \\[\\S+\\] in \\d+ paired rounds?: (.+)$");
            assertThat(ratio.group(2)).isEqualTo("faster than yours, beyond noise");
            assertThat(Double.parseDouble(ratio.group(1))).isGreaterThan(1);
        }
        await().atMost(SOON).untilAsserted(() -> assertThat(processes.alive()).isEmpty());
    }

    private Process start() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        "python3",
                        COMMAND.toString(),
                        "--exit",
                        "--seconds",
                        "20",
                        "--home",
                        folder.resolve("home").toString(),
                        "--jar",
                        JAR.toString())
                .redirectErrorStream(true)
                .redirectOutput(output().toFile());
        builder.environment().putAll(processes.environment());
        builder.environment().put("LOADERTUNER_PYTHON_PASSEDENVIRONMENT", MarkedProcesses.VARIABLE);
        builder.environment().put("LOADER_TUNER_PYTHON", System.getProperty("loader-tuner.test.python"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("XDG_CACHE_HOME", folder.toString());
        return builder.start();
    }

    private URI address() {
        return URI.create(
                found("The service answers at (http://127\\.0\\.0\\.1:\\d+) ").group(1));
    }

    private String study() {
        return found("(?m)^Study (\\S+): at most 20 s and 40 trials$").group(1);
    }

    private MatchResult found(String pattern) {
        return Pattern.compile(pattern)
                .matcher(printed())
                .results()
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing printed matches " + pattern + ":\n" + printed()));
    }

    private String printed() {
        try {
            return Files.readString(output(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private Path output() {
        return folder.resolve("printed");
    }
}
