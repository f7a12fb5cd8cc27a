package io.loadertuner.core.machine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** A JVM of its own that tries to take a machine lock, says {@code held} or {@code refused}, and keeps it until killed. */
final class LockingProcess implements AutoCloseable {

    static final String PURPOSE = "study of another process";

    private final Process process;
    private final BufferedReader output;

    private LockingProcess(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    static LockingProcess start(Path lock) throws IOException {
        return new LockingProcess(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockingProcess.class.getName(),
                        lock.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    long pid() {
        return process.pid();
    }

    boolean holdsTheLock() throws IOException {
        return "held".equals(output.readLine());
    }

    /** With SIGKILL, which leaves a process no chance to tidy up. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
        try {
            output.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Optional<MachineLock> lock = MachineLock.tryAcquire(Path.of(arguments[0]), PURPOSE);
        System.out.println(lock.isPresent() ? "held" : "refused");
        if (lock.isPresent()) {
            System.in.read();
        }
    }
}
