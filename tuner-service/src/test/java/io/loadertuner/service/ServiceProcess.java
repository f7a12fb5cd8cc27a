package io.loadertuner.service;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The packaged service, unpacked as in its image, as a child process, on a port of its own. Its log is a file beside its
 * home.
 *
 * <pre>{@code
 * try (ServiceProcess service = ServiceProcess.start(home)) {
 *     service.calls().post("/api/v1/studies?wait=60", "{…}");
 * }
 * }</pre>
 */
public final class ServiceProcess implements AutoCloseable {
    private static final Path UNPACKED = Path.of("target", "unpacked").toAbsolutePath();
    private static final Pattern LISTENING = Pattern.compile("listens on (http://\\S+)");
    private static final Duration TO_START = Duration.ofSeconds(90);
    private static final Duration TO_STOP = Duration.ofSeconds(90);

    private final Process process;
    private final Path log;
    private @Nullable ServiceCalls calls;

    private ServiceProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts the service and waits until it listens.
     *
     * @param home made where there is none
     * @param arguments properties as on the command line, {@code --loader-tuner.data-roots=…}
     * @throws AssertionError if it does not start, with its log
     */
    public static ServiceProcess start(Path home, String... arguments) {
        ServiceProcess service = launch(home, Map.of(), arguments);
        service.awaitListening();
        return service;
    }

    /** Starts the service and does not wait. */
    public static ServiceProcess launch(Path home, Map<String, String> environment, String... arguments) {
        List<String> command = command();
        command.addAll(List.of("--server.port=0", "--loader-tuner.home=" + home));
        command.addAll(List.of(arguments));
        try {
            Path log = Files.createTempFile("tuner-service-", ".log");
            log.toFile().deleteOnExit();
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
            String python = System.getProperty("loader-tuner.test.python");
            if (python != null) {
                builder.environment().put("LOADER_TUNER_PYTHON", python);
            }
            builder.environment().putAll(environment);
            return new ServiceProcess(builder.start(), log);
        } catch (IOException notStarted) {
            throw new UncheckedIOException(notStarted);
        }
    }

    /** What starts the packaged program; its arguments are to follow. */
    public static List<String> command() {
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // A service of a test lives too short for the second compiler to pay.
                "-XX:TieredStopAtLevel=1",
                "-XX:SharedArchiveFile=" + UNPACKED.resolve("tuner-service.jsa"),
                "-jar",
                UNPACKED.resolve("tuner-service.jar").toString()));
    }

    /** Calls to the address that it listens on, over connections that are kept. */
    public synchronized ServiceCalls calls() {
        if (calls == null) {
            calls = new ServiceCalls(address());
        }
        return calls;
    }

    public URI address() {
        Matcher line = LISTENING.matcher(log());
        if (!line.find()) {
            throw new AssertionError("the service does not listen:\n" + log());
        }
        return URI.create(line.group(1));
    }

    /** All that it has logged. */
    public String log() {
        try {
            return Files.readString(log, StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Ends it without warning, as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly();
        exitCode();
    }

    /** Asks it to end (SIGTERM) and waits until it has. */
    public int stop() {
        process.destroy();
        return exitCode();
    }

    /**
     * Waits until it has ended.
     *
     * @throws AssertionError if it does not, with its log; it is killed then
     */
    public int exitCode() {
        try {
            if (process.waitFor(TO_STOP.toSeconds(), TimeUnit.SECONDS)) {
                return process.exitValue();
            }
            process.destroyForcibly();
            throw new AssertionError("the service did not end within " + TO_STOP + ":\n" + log());
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            stop();
        }
    }

    /** Waits until it listens; an {@link AssertionError} with its log if it does not. */
    public void awaitListening() {
        try {
            await().atMost(TO_START)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> LISTENING.matcher(log()).find() || !process.isAlive());
        } catch (ConditionTimeoutException late) {
            process.destroyForcibly();
            throw new AssertionError("the service did not start in time:\n" + log(), late);
        }
        if (!process.isAlive()) {
            throw new AssertionError("the service ended:\n" + log());
        }
    }
}
