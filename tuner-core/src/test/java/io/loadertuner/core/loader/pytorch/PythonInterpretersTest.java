package io.loadertuner.core.loader.pytorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PythonInterpretersTest {
    private static final String WITHOUT_TORCH = "case \"$*\" in *'import torch'*) exit 1;; esac";
    private static final String WITH_TORCH = "exit 0";

    @TempDir
    Path folder;

    @Test
    void theDefaultIsTheFirstOnThePathThatImportsTorch() throws Exception {
        Path without = python3("without", WITHOUT_TORCH);
        Files.writeString(
                Files.createDirectory(folder.resolve("not executable")).resolve("python3"), "#!/bin/sh\n");
        Path first = python3("first", WITH_TORCH);
        Path second = python3("second", WITH_TORCH);
        PythonInterpreters interpreters =
                new PythonInterpreters(Map.of(), path("not there", "not executable", "without", "first", "second"));

        assertThat(interpreters.named("default")).isEqualTo(first);
        assertThat(timesStarted(without)).isOne();

        assertThat(interpreters.named("default")).isEqualTo(first);
        assertThat(timesStarted(without)).as("remembered").isOne();
        assertThat(timesStarted(first)).as("remembered").isOne();
        assertThat(timesStarted(second)).isZero();
    }

    @Test
    void whereNoneImportsTorchTheFailureNamesThoseThatWereTried() throws Exception {
        Path one = python3("one", WITHOUT_TORCH);
        Path other = python3("other", WITHOUT_TORCH);

        assertThat(failure(new PythonInterpreters(Map.of(), path("one", "other")), "default"))
                .isEqualTo("no interpreter with PyTorch was found (tried " + one + ", " + other
                        + "); set LOADER_TUNER_PYTHON to one that imports torch");
        assertThat(failure(new PythonInterpreters(Map.of(), Map.of("PATH", "")), "default"))
                .contains("there is no python3 on the path");
    }

    @Test
    void theVariableComesBeforeThePathAndAConfiguredDefaultBeforeBoth() throws Exception {
        python3("path", WITH_TORCH);
        Path chosen = python3("chosen", WITH_TORCH);
        Path configured = python3("configured", WITH_TORCH);
        Map<String, String> environment =
                Map.of("PATH", folder.resolve("path").toString(), "LOADER_TUNER_PYTHON", chosen.toString());

        assertThat(new PythonInterpreters(Map.of(), environment).named("default"))
                .isEqualTo(chosen);
        assertThat(new PythonInterpreters(Map.of("default", configured), environment).named("default"))
                .isEqualTo(configured);
    }

    @Test
    void anEnvironmentIsFoundByItsName() throws Exception {
        Path training = python3("training", WITH_TORCH);
        Path gone = folder.resolve("gone");
        PythonInterpreters interpreters = new PythonInterpreters(Map.of("training", training, "gone", gone), Map.of());

        assertThat(interpreters.named("training")).isEqualTo(training);
        assertThat(timesStarted(training)).as("its owner vouches for it").isZero();
        assertThat(failure(interpreters, "gone"))
                .isEqualTo("the interpreter of the Python environment 'gone', " + gone + ", is not an executable file");
    }

    @Test
    void anUnknownNameIsToldWithThoseThatAreKnown() throws Exception {
        Path training = python3("training", WITH_TORCH);
        Map<String, Path> configured = Map.of("training", training, "evaluation", training);

        assertThat(failure(new PythonInterpreters(configured, path("training")), "trainnig"))
                .isEqualTo("no Python environment is named 'trainnig'; configured are evaluation, training"
                        + " (property loader-tuner.python.environments.trainnig)");
        assertThat(failure(new PythonInterpreters(Map.of(), Map.of()), "trainnig"))
                .contains("configured are none");
    }

    private static String failure(PythonInterpreters interpreters, String name) {
        TrialFailure failure = catchThrowableOfType(TrialFailedException.class, () -> interpreters.named(name))
                .failure();
        assertThat(failure.reason()).isEqualTo(FailureReason.ENVIRONMENT_ERROR);
        return failure.message();
    }

    private Map<String, String> path(String... names) {
        return Map.of(
                "PATH",
                Arrays.stream(names)
                        .map(name -> folder.resolve(name).toString())
                        .collect(Collectors.joining(File.pathSeparator)));
    }

    /** A script in a folder of its own that notes each start, then does as it is told. */
    private Path python3(String name, String script) throws IOException {
        Path file = Files.createDirectory(folder.resolve(name)).resolve("python3");
        Files.writeString(file, "#!/bin/sh\necho started >> '%s'\n%s\n".formatted(starts(file), script));
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    private static int timesStarted(Path interpreter) throws IOException {
        Path starts = starts(interpreter);
        return Files.exists(starts) ? Files.readAllLines(starts).size() : 0;
    }

    private static Path starts(Path interpreter) {
        return interpreter.resolveSibling("starts");
    }
}
