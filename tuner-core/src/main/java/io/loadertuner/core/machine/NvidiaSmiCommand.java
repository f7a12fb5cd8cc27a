package io.loadertuner.core.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs the tool. It hangs when a driver does, so it gets a limited time; and it writes to a file, as a pipe could be held
 * open by whatever outlives it.
 */
record NvidiaSmiCommand(List<String> command, Duration limit) implements NvidiaSmi {

    private static final int NO_DEVICES = 6;

    static NvidiaSmiCommand installed() {
        return new NvidiaSmiCommand(
                List.of("nvidia-smi", "--query-gpu=name,memory.total,uuid", "--format=csv,noheader,nounits"),
                Duration.ofSeconds(5));
    }

    /** Keeps the thread's interrupt status; an interrupted thread gets no answer. */
    @Override
    public Optional<String> gpus() {
        try {
            Path output = Files.createTempFile("loader-tuner-gpus", ".csv");
            try {
                return run(output) ? Optional.of(Files.readString(output)) : Optional.empty();
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private boolean run(Path output) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)
                    && (process.exitValue() == 0 || process.exitValue() == NO_DEVICES);
        } finally {
            process.destroyForcibly();
        }
    }
}
