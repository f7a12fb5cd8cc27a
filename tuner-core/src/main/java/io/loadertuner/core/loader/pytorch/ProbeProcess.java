package io.loadertuner.core.loader.pytorch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A supervisor with its probe: lines out, lines in, and the certainty that nothing of it is left after {@link #close}. */
final class ProbeProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProbeProcess.class);
    private static final JsonMapper JSON = ProbeMessages.JSON;
    /** The supervisor gives its children a second after TERM and five more to die of KILL. */
    private static final Duration TIME_TO_STOP = Duration.ofSeconds(8);

    private static final long MILLISECONDS_BETWEEN_LOOKS = 10;
    private static final Duration TIME_FOR_LAST_LINE = Duration.ofSeconds(1);

    /** The empty object marks the end of the supervisor's output in {@link #lines}. */
    private static final JsonNode END = JSON.createObjectNode();

    /** The supervisor, or what stands for it where the nursery has forked it. */
    private final Process started;

    private final Thread reader;
    private final OutputStream requests;
    private final BlockingQueue<JsonNode> lines = new LinkedBlockingQueue<>();
    private final BoundedLog log = new BoundedLog();
    private long lastId;
    private volatile @Nullable JsonNode exit;
    private volatile @Nullable ProcessHandle supervisor;

    /**
     * @param printed gathers what it prints, as other processes' may
     */
    ProbeProcess(Process started, BoundedLog printed) {
        this.started = started;
        this.requests = started.getOutputStream();
        this.reader = DaemonThread.start("probe-lines-" + started.pid(), this::readLines);
        DaemonThread.start("probe-log-" + started.pid(), () -> log.drain(started.getErrorStream(), printed));
    }

    /**
     * Sends a request.
     *
     * @return the id that its answers carry
     */
    long send(ObjectNode request) {
        long id = ++lastId;
        request.put("id", id);
        try {
            requests.write((JSON.writeValueAsString(request) + "\n").getBytes(StandardCharsets.UTF_8));
            requests.flush();
        } catch (IOException gone) {
            LOG.debug("the probe is gone; its exit follows as a line", gone);
        }
        return id;
    }

    /**
     * The next line that answers request {@code id}, or tells that the probe has ended ({@code event: exited}).
     *
     * @return empty if there is none within {@code limit}
     */
    Optional<JsonNode> await(long id, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            JsonNode line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null) {
                return Optional.empty();
            }
            if (line.isEmpty()) {
                lines.add(END);
                JsonNode known = exit;
                return Optional.of(known == null ? JSON.createObjectNode().put("event", "exited") : known);
            }
            if (line.path("id").asLong(-1) == id) {
                return Optional.of(line);
            }
        }
    }

    /** What the probe, its workers and the user's code printed, its middle left out where it is long. */
    String log() {
        return log.text();
    }

    /** How it ended, as the supervisor's last line says; empty while it runs, and where the supervisor was killed. */
    Optional<JsonNode> exit() {
        return Optional.ofNullable(exit);
    }

    boolean isAlive() {
        return started.isAlive() && exit == null;
    }

    /** Has everything ended without waiting for it. */
    void askToStop() {
        send(JSON.createObjectNode().put("command", "stop"));
    }

    /** Ends the probe and everything below it; returns when nothing of it is left. */
    @Override
    public void close() {
        boolean interrupted = false;
        try {
            askToStop();
            interrupted = !awaitEnd();
        } finally {
            for (ProcessHandle running : running()) {
                LOG.warn("supervisor {} did not end by itself and is killed", running.pid());
                running.destroyForcibly();
            }
            try {
                requests.close();
            } catch (IOException alreadyClosed) {
                LOG.debug("closing the supervisor's input", alreadyClosed);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits for the end even when interrupted: a cancelled study must leave nothing behind. */
    private boolean awaitEnd() {
        boolean undisturbed = true;
        long deadline = System.nanoTime() + TIME_TO_STOP.toNanos();
        while (!running().isEmpty() && System.nanoTime() < deadline) {
            try {
                if (started.isAlive()) {
                    started.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } else {
                    // What stood for it was killed; nobody tells when another's child ends.
                    Thread.sleep(MILLISECONDS_BETWEEN_LOOKS);
                }
            } catch (InterruptedException cancelled) {
                undisturbed = false;
            }
        }
        try {
            // Its last line may still be on its way; one that was killed may have left its end of the pipe to others.
            reader.join(TIME_FOR_LAST_LINE.toMillis());
        } catch (InterruptedException cancelled) {
            undisturbed = false;
        }
        return undisturbed;
    }

    private List<ProcessHandle> running() {
        return Stream.of(started.toHandle(), supervisor)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .filter(Leftover::isAlive)
                .toList();
    }

    private void readLines() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                accept(line);
            }
        } catch (IOException closed) {
            LOG.debug("the supervisor's output was closed", closed);
        } finally {
            lines.add(END);
        }
    }

    private void accept(String line) {
        try {
            JsonNode message = JSON.readTree(line);
            switch (message.path("event").asString("")) {
                case "started" ->
                    supervisor = ProcessHandle.of(message.path("pid").asLong()).orElse(null);
                case "exited" -> {
                    exit = message;
                    lines.add(message);
                }
                default -> lines.add(message);
            }
        } catch (JacksonException torn) {
            // A probe that is killed while it writes leaves half a line; its exit follows.
            LOG.debug("not a line of the protocol: {}", line, torn);
        }
    }
}
