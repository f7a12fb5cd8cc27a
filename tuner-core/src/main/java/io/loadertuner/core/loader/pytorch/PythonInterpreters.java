package io.loadertuner.core.loader.pytorch;

import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The Python interpreters that the operator configured by name. {@code default} need not be among them: it is taken from
 * {@code LOADER_TUNER_PYTHON}, else it is the first {@code python3} on the path that imports torch.
 */
public final class PythonInterpreters {
    private static final String VARIABLE = "LOADER_TUNER_PYTHON";
    private static final int SECONDS_TO_IMPORT_TORCH = 60;

    private final Map<String, Path> configured;
    private final Map<String, String> environment;
    private @Nullable Path found;

    /**
     * @param configured interpreters by name
     * @param environment of this process
     */
    public PythonInterpreters(Map<String, Path> configured, Map<String, String> environment) {
        this.configured = new TreeMap<>(configured);
        this.environment = Map.copyOf(environment);
    }

    /**
     * The interpreter of that name.
     *
     * @throws TrialFailedException {@code environment_error} if there is none of that name or it is not executable
     */
    public synchronized Path named(String name) throws TrialFailedException, InterruptedException {
        Path interpreter = configured.get(name);
        if (interpreter == null && name.equals(Source.Python.DEFAULT_ENVIRONMENT)) {
            interpreter = byDefault();
        }
        if (interpreter == null) {
            throw unusable("no Python environment is named '" + name + "'; configured are "
                    + (configured.isEmpty() ? "none" : String.join(", ", configured.keySet()))
                    + " (property loader-tuner.python.environments." + name + ")");
        }
        if (!Files.isExecutable(interpreter)) {
            throw unusable("the interpreter of the Python environment '" + name + "', " + interpreter
                    + ", is not an executable file");
        }
        return interpreter;
    }

    private Path byDefault() throws TrialFailedException, InterruptedException {
        String chosen = environment.getOrDefault(VARIABLE, "");
        if (!chosen.isEmpty()) {
            return Path.of(chosen);
        }
        Path known = found;
        if (known == null) {
            known = searchPath();
            found = known;
        }
        return known;
    }

    private Path searchPath() throws TrialFailedException, InterruptedException {
        List<String> tried = new ArrayList<>();
        for (String folder : List.of(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1))) {
            Path candidate = Path.of(folder).resolve("python3");
            if (!folder.isEmpty() && Files.isExecutable(candidate)) {
                if (importsTorch(candidate)) {
                    return candidate;
                }
                tried.add(candidate.toString());
            }
        }
        throw unusable("no interpreter with PyTorch was found ("
                + (tried.isEmpty() ? "there is no python3 on the path" : "tried " + String.join(", ", tried))
                + "); set " + VARIABLE + " to one that imports torch");
    }

    private boolean importsTorch(Path interpreter) throws InterruptedException {
        try {
            // Not from the working directory, whose torch.py would be anybody's.
            ProcessBuilder builder = new ProcessBuilder(
                            interpreter.toString(), "-c", "import sys; sys.path.pop(0); import torch")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD);
            builder.environment().clear();
            builder.environment().putAll(ChildEnvironment.of(environment, Set.of()));
            Process process = builder.start();
            try {
                return process.waitFor(SECONDS_TO_IMPORT_TORCH, TimeUnit.SECONDS) && process.exitValue() == 0;
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException notRunnable) {
            return false;
        }
    }

    private static TrialFailedException unusable(String message) {
        return new TrialFailedException(TrialFailure.of(FailureReason.ENVIRONMENT_ERROR, message));
    }
}
