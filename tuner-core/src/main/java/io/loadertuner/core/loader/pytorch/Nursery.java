package io.loadertuner.core.loader.pytorch;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts what sessions load with: a process that has imported torch, and probes that are forked from it.
 *
 * <p>Where they cannot be (no torch, a death, an import that starts threads), they are started and import for themselves.
 */
final class Nursery {
    private static final Logger LOG = LoggerFactory.getLogger(Nursery.class);
    private static final String START =
            "import sys; sys.path[0] = sys.argv.pop(1); from loader_probe.%s import main; main()";

    /** Room for the name of a probe's private folder, which is written over it. */
    private static final Map<String, String> ROOM_FOR_A_MARK = Map.of("LOADER_TUNER_PROBE", "_".repeat(21));

    private final Path interpreter;
    private final Map<String, String> environment;
    private final Duration patience;
    private final AtomicInteger sessions;
    private final CountDownLatch listening = new CountDownLatch(1);
    private volatile boolean ready;
    private final Path files;
    private final Process process;

    /**
     * Starts the interpreter on a private copy of the probe, and does not wait for what it imports.
     *
     * @param patience how long a probe that is to be forked waits for the import before it is started
     * @param sessions that will {@linkplain #sessionEnded end}
     * @param printed gathers what the import prints
     */
    static Nursery start(
            Path interpreter, Map<String, String> environment, Duration patience, int sessions, BoundedLog printed)
            throws TrialFailedException {
        try {
            return new Nursery(interpreter, environment, patience, sessions, printed);
        } catch (IOException failed) {
            throw notStarted(interpreter, failed);
        }
    }

    private Nursery(
            Path interpreter, Map<String, String> environment, Duration patience, int sessions, BoundedLog printed)
            throws IOException {
        this.interpreter = interpreter;
        this.environment = environment;
        this.patience = patience;
        this.sessions = new AtomicInteger(sessions);
        this.files = ProbeFiles.unpack();
        try {
            ProcessBuilder builder = python("nursery");
            builder.environment().putAll(ROOM_FOR_A_MARK);
            process = builder.start();
        } catch (IOException failed) {
            ProbeFiles.delete(files);
            throw failed;
        }
        DaemonThread.start("nursery-" + process.pid(), this::readWords);
        DaemonThread.start("nursery-log-" + process.pid(), () -> printed.drain(process.getErrorStream()));
    }

    /**
     * Has a supervisor with a probe begin.
     *
     * @return a process that ends when the supervisor does; its streams are the supervisor's
     */
    Process begin(ProbeRole role) throws TrialFailedException, InterruptedException {
        listening.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        try {
            return python("launch", role.argument(), String.valueOf(patience.toMillis() / 1000.0))
                    .start();
        } catch (IOException failed) {
            throw notStarted(interpreter, failed);
        }
    }

    /** Sessions are ending: what waits for the import is to wait no longer. */
    void waitNoMore() {
        // Later than that it forks at once, and is the parent of supervisors, which must not become another's to wait
        // for.
        if (!ready) {
            process.destroyForcibly();
        }
    }

    /** A session is over, and all that it began has ended; with the last of them ends the nursery. */
    void sessionEnded() {
        if (sessions.decrementAndGet() > 0) {
            return;
        }
        // It has nothing of its own to tidy up.
        process.destroyForcibly();
        boolean interrupted = false;
        while (process.isAlive()) {
            try {
                process.waitFor();
            } catch (InterruptedException cancelled) {
                interrupted = true;
            }
        }
        ProbeFiles.delete(files);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static TrialFailedException notStarted(Path interpreter, IOException failed) {
        return new TrialFailedException(
                TrialFailure.of(
                        FailureReason.ENVIRONMENT_ERROR,
                        "the interpreter " + interpreter + " could not be started: " + failed.getMessage()),
                failed);
    }

    private ProcessBuilder python(String module, String... arguments) {
        List<String> command = Stream.concat(
                        Stream.of(interpreter.toString(), "-B", "-c", START.formatted(module), files.toString()),
                        Stream.of(arguments))
                .toList();
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder;
    }

    private void readWords() {
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            said.readLine();
            listening.countDown();
            ready = said.readLine() != null;
        } catch (IOException gone) {
            LOG.debug("the nursery is gone before it was ready", gone);
        } finally {
            listening.countDown();
        }
    }
}
