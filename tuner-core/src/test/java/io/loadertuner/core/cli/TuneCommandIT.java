package io.loadertuner.core.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.json.TunerJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A whole study from the terminal, with the real DataLoader. */
@Tag("rates")
class TuneCommandIT {
    private static final String PYTHON = System.getProperty("loader-tuner.test.python");

    /** Every sample waits 10 ms: without workers 100 a second, with four of them 400. */
    private static final String WAITING = "{\"name\": \"waiting\", \"source\": {\"kind\": \"synthetic\","
            + " \"samples\": 4000, \"sample_milliseconds\": 10}, \"space\": {\"num_workers\": [0, 4],"
            + " \"batch_size\": [8]}, \"budget\": {\"seconds\": 25}}";

    @TempDir
    Path folder;

    private final Terminal terminal = new Terminal();

    @Test
    void aDescriptorFileIsTunedWithTheAnswerOfTheService() throws Exception {
        Path file = Files.writeString(folder.resolve("descriptor.json"), WAITING);

        Path surface = folder.resolve("surface.csv");

        int exitCode =
                terminal.run("tune", file.toString(), "--json", "--python", PYTHON, "--surface", surface.toString());

        assertThat(exitCode).as(terminal.err()).isZero();
        JsonNode answer = TunerJson.mapper().readTree(terminal.out());
        JsonNode study = answer.get("study");
        assertThat(study.get("state").asString()).isEqualTo("completed");
        assertThat(study.get("device").asString()).isIn("cpu", "cuda:0");
        assertThat(study.get("recommendation").get("kind").asString()).isEqualTo("faster");
        assertThat(study.get("recommendation").get("config").get("num_workers").asInt())
                .isEqualTo(4);
        assertThat(study.get("recommendation").get("speedup").get("low").asDouble())
                .isGreaterThan(1);
        assertThat(answer.get("trials").size()).isEqualTo(2);
        assertThat(answer.get("trials").get(0).get("config").get("num_workers").asInt())
                .isZero();
        Terminal replay = new Terminal();
        assertThat(replay.run(
                        "replay",
                        surface.toString(),
                        "--dataset=waiting",
                        "--baseline=0,0,8",
                        "--repeats=20",
                        "--json"))
                .as(replay.err())
                .isZero();
        JsonNode replayed = TunerJson.mapper().readTree(replay.out());
        assertThat(replayed.get("regret_percent").get("p95").asDouble()).isZero();
        assertThat(replayed.get("left_baseline").asDouble()).isEqualTo(1);
    }

    @Test
    void whatAnInterruptedStudyMeasuredIsInItsSurface() throws Exception {
        Path file = Files.writeString(folder.resolve("descriptor.json"), WAITING);
        Path surface = folder.resolve("surface.csv");
        AtomicInteger exitCode = new AtomicInteger(-1);
        Thread tuning = new Thread(() -> exitCode.set(
                terminal.run("tune", file.toString(), "--python", PYTHON, "--surface", surface.toString())));

        tuning.start();
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> terminal.err().contains("s left"));
        tuning.interrupt();
        tuning.join();

        assertThat(exitCode).hasValue(130);
        assertThat(terminal.err()).contains("interrupted; no process is left");
        assertThat(surface).content().contains("\nwaiting,0,0,8,false,");
    }

    @Test
    void anAnswerIsPrintedThoughItsSurfaceCannotBeWritten() throws Exception {
        Path file = Files.writeString(folder.resolve("descriptor.json"), WAITING.replace("25", "10"));
        Path surface = folder.resolve("no/such/folder/surface.csv");

        int exitCode = terminal.run("tune", file.toString(), "--python", PYTHON, "--surface", surface.toString());

        assertThat(exitCode).isEqualTo(1);
        assertThat(terminal.out()).contains("baseline 0 workers, batch 8").contains("recommended");
        assertThat(terminal.err()).endsWith("there is no folder for %s%n".formatted(surface));
    }

    @Test
    void progressAndTheFinalTableAreForPeople() throws Exception {
        Path file = Files.writeString(folder.resolve("descriptor.json"), WAITING);

        int exitCode = terminal.run("tune", file.toString(), "--python", PYTHON);

        assertThat(exitCode).isZero();
        assertThat(terminal.err()).contains("trial  1  0 workers, batch 8").contains("s left");
        assertThat(terminal.out())
                .contains("baseline 0 workers, batch 8")
                .contains("faster: 4 workers, prefetch 2, batch 8")
                .contains("recommended");
    }
}
