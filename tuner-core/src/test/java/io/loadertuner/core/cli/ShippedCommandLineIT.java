package io.loadertuner.core.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.loader.pytorch.MarkedProcesses;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The jar of the command line, as a process of its own, with the real DataLoader. */
class ShippedCommandLineIT {
    private static final String PYTHON = System.getProperty("loader-tuner.test.python");
    private static final Path JAR = Path.of("target", "loader-tuner.jar").toAbsolutePath();

    /**
     * Starts a program as a terminal does, in a process group of its own. What a shell without job control starts in the
     * background ignores SIGINT, and a JVM that begins so goes on ignoring it.
     */
    private static final String AS_FROM_A_TERMINAL = """
            import os, signal, sys
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.setpgid(0, 0)
            os.execv(sys.argv[1], sys.argv[1:])
            """;

    private static final Pattern INTERVAL = Pattern.compile("[\\d.]+/s \\[[\\d.]+–[\\d.]+]");

    /** Trial, config, round, throughput with its interval once there are three rounds, and the seconds left. */
    private static final Pattern PROGRESS =
            Pattern.compile("trial +\\d+  (?:0 workers|\\d+ workers?, prefetch \\d+), batch 8"
                    + " +[a-z_]+-\\d+ +[\\d.]+/s(?: \\[[\\d.]+–[\\d.]+])? +\\d+ s left");

    @TempDir
    Path folder;

    private final MarkedProcesses processes = new MarkedProcesses();

    @AfterEach
    void nothingIsLeft() {
        assertThat(processes.alive()).isEmpty();
    }

    @Test
    void progressIsShownAndCtrlCPrintsWhatWasMeasured() throws Exception {
        Path surface = folder.resolve("surface.csv");
        Process process = start(synthetic("[0, 1, 2]", 120), "--surface", surface.toString());
        try (BufferedReader progress =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            List<String> lines = new ArrayList<>();
            String line = progress.readLine();
            while (line != null && !INTERVAL.matcher(line).find()) {
                lines.add(line);
                line = progress.readLine();
            }
            assertThat(line).as("%s", lines).isNotNull();
            lines.add(line);
            assertThat(lines.stream().filter(printed -> printed.startsWith("trial")))
                    .hasSizeGreaterThanOrEqualTo(3)
                    .allMatch(printed -> PROGRESS.matcher(printed).matches());

            // To the whole group, as Ctrl-C does.
            new ProcessBuilder("sh", "-c", "kill -INT -" + process.pid())
                    .start()
                    .waitFor();

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(130);
            assertThat(progress.lines()).last().isEqualTo("interrupted; no process is left");
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(folder.resolve("out"), StandardCharsets.UTF_8))
                .containsPattern("(?m)^ +1 +0 +- +8 +no +" + INTERVAL + ".* baseline$")
                .contains("cancelled: the study was interrupted");
        assertThat(Files.readAllLines(surface)).hasSizeGreaterThan(1);
    }

    @Test
    void asJsonAStudyAndItsTrialsHaveTheirFields() throws Exception {
        Process process = start(synthetic("[0]", 10), "--json");

        assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        JsonNode answer = TunerJson.mapper().readTree(Files.readString(folder.resolve("out"), StandardCharsets.UTF_8));
        assertThat(names(answer)).containsExactlyInAnyOrder("study", "trials");
        JsonNode study = answer.get("study");
        assertThat(names(study))
                .containsExactlyInAnyOrder(
                        "id",
                        "state",
                        "dataset",
                        "version",
                        "loader",
                        "device",
                        "machine_type",
                        "progress",
                        "baseline",
                        "objective",
                        "recommendation",
                        "resolvable_difference",
                        "tie_set",
                        "best_by_batch_size",
                        "explanation",
                        "skipped",
                        "bottleneck",
                        "findings",
                        "stopped_by",
                        "rejected_rounds",
                        "notes",
                        "facts",
                        "failure");
        assertThat(study.get("state").asString()).isEqualTo("completed");
        assertThat(study.get("recommendation").get("kind").asString()).isEqualTo("kept");
        assertThat(answer.get("trials")).hasSize(1);
        assertThat(answer.get("trials").get(0).get("device")).isEqualTo(study.get("device"));
    }

    /** Every sample waits 2 ms. */
    private static String synthetic(String workers, int seconds) {
        return """
                {"name": "waiting", "source": {"kind": "synthetic", "samples": 4000, "sample_milliseconds": 2},
                 "space": {"num_workers": %s, "prefetch_factor": [2], "batch_size": [8]}, "budget": {"seconds": %d}}
                """.formatted(workers, seconds);
    }

    private Process start(String descriptor, String... options) throws Exception {
        Path file = Files.writeString(folder.resolve("descriptor.json"), descriptor);
        List<String> command = new ArrayList<>(List.of(
                PYTHON,
                "-c",
                AS_FROM_A_TERMINAL,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                JAR.toString(),
                "tune",
                file.toString(),
                "--python",
                PYTHON,
                "--pass-environment",
                MarkedProcesses.VARIABLE));
        command.addAll(List.of(options));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(folder.resolve("out").toFile());
        builder.environment().putAll(processes.environment());
        // By it the JVM chooses the encoding of what it prints.
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder.start();
    }

    private static Set<String> names(JsonNode object) {
        return object.propertyNames().stream().collect(Collectors.toSet());
    }
}
