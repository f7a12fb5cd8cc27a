package io.loadertuner.service.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.json.TunerJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** A Python process that imports the client as training code does, from a copy of the file beside it. */
record TrainingScript(Path folder) {
    private static final long LIMIT_SECONDS = 60;

    /** What the script printed, one JSON value. The client's log goes with its standard error. */
    JsonNode run(String code, Map<String, String> environment) throws IOException, InterruptedException {
        Path script = Files.writeString(
                folder.resolve("train.py"),
                "import json, logging, sys\nlogging.basicConfig(level=logging.INFO)\nimport loader_tuner\n" + code);
        Path printed = folder.resolve("stdout");
        Path errors = folder.resolve("stderr");
        ProcessBuilder builder = new ProcessBuilder(
                        List.of(System.getProperty("loader-tuner.test.python"), "-B", script.toString()))
                .redirectOutput(printed.toFile())
                .redirectError(errors.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        assertThat(ended).as("it ends within %d s", LIMIT_SECONDS).isTrue();
        assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
        return TunerJson.mapper().readTree(Files.readString(printed));
    }

    List<String> logged() throws IOException {
        return Files.readAllLines(folder.resolve("stderr"));
    }
}
