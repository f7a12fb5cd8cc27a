package io.loadertuner.core.loader.pytorch;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** One probe as a partner in requests and answers: watches its silence and turns what goes wrong into a named failure. */
final class OpenProbe implements AutoCloseable {
    private static final JsonMapper JSON = ProbeMessages.JSON;
    private static final Duration TIME_FOR_STACKS = Duration.ofSeconds(5);

    /** The supervisor gives leftovers 2.3 s to end. */
    private static final Duration TIME_TO_TIDY = Duration.ofSeconds(5);

    private static final String SILENCE = "nothing happened for %s s while ";

    private final ProbeProcess process;
    private final ProbeRole role;
    private final TimeLimits limits;

    OpenProbe(ProbeProcess process, ProbeRole role, TimeLimits limits) {
        this.process = process;
        this.role = role;
        this.limits = limits;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Sends a request, to be answered by {@link #answer}. */
    long send(ObjectNode request) {
        return process.send(request);
    }

    /**
     * The result of a request without events.
     *
     * @param doing what is done, for the message of a time-out: {@code building the dataset}
     */
    <T> T answer(long id, Duration limit, String doing, Class<T> type)
            throws TrialFailedException, InterruptedException {
        Optional<JsonNode> line = process.await(id, limit);
        if (line.isEmpty()) {
            throw hung(SILENCE + doing, limit, null);
        }
        return result(line.get(), type, doing);
    }

    /** A round's result, and how long its tear-down took; empty if the tear-down hung and the process was killed. */
    record RoundAnswer(ProbeMessages.Round round, Optional<Double> shutdownSeconds) {}

    /**
     * @param startMethod how its workers are started; null if it has none or that is not known
     */
    RoundAnswer round(ObjectNode request, @Nullable String startMethod)
            throws TrialFailedException, InterruptedException {
        long id = process.send(request);
        long end = System.nanoTime() + limits.round().toNanos();
        boolean measuring = false;
        while (true) {
            Duration silence = measuring ? limits.batch() : limits.startup();
            Duration left = Duration.ofNanos(end - System.nanoTime());
            Duration limit = left.compareTo(silence) < 0 ? left : silence;
            Optional<JsonNode> line = process.await(id, limit);
            if (line.isEmpty()) {
                if (left.compareTo(silence) < 0) {
                    throw hung("the whole round was not over after %s s", limits.round(), startMethod);
                }
                throw measuring
                        ? hung(SILENCE + "waiting for the next batch", limits.batch(), startMethod)
                        : hung(SILENCE + "starting the workers, until the first batch", limits.startup(), startMethod);
            }
            if (line.get().path("event").asString("").equals("progress")) {
                measuring = line.get().path("batches").asLong(0) > 0;
                continue;
            }
            ProbeMessages.Round round = result(line.get(), ProbeMessages.Round.class, "measuring a round");
            return new RoundAnswer(round, closed(id));
        }
    }

    /** How long the tear-down took that follows a result; empty if it hung. */
    Optional<Double> closed(long id) throws InterruptedException {
        return process.await(id, limits.teardown())
                .map(line -> line.path("shutdown_seconds"))
                .filter(JsonNode::isNumber)
                .map(JsonNode::asDouble);
    }

    /**
     * Has ended and removed what earlier rounds left.
     *
     * @return false if something is left all the same
     */
    boolean tidy() throws InterruptedException {
        long id = process.send(JSON.createObjectNode().put("command", "tidy"));
        return process.await(id, TIME_TO_TIDY)
                .filter(line -> line.has("result"))
                .map(line -> JSON.treeToValue(line.get("result"), ProbeMessages.Tidied.class))
                .filter(tidied -> tidied.left().isEmpty())
                .isPresent();
    }

    /** Says that {@link #close} will be called, so that several probes end at once. */
    void askToStop() {
        process.askToStop();
    }

    /** Ends everything of it; what could not be ended. */
    List<Leftover> end() {
        process.close();
        return process.exit()
                .filter(exit -> exit.has("left"))
                .map(exit -> List.of(JSON.treeToValue(exit.get("left"), Leftover[].class)))
                .orElse(List.of());
    }

    @Override
    public void close() {
        end();
    }

    private <T> T result(JsonNode line, Class<T> type, String doing) throws TrialFailedException {
        if (line.has("error")) {
            throw failed(JSON.treeToValue(line.get("error"), ProbeMessages.Failed.class));
        }
        if (line.path("event").asString("").equals("exited")) {
            throw exited(line, doing);
        }
        return JSON.treeToValue(line.get("result"), type);
    }

    private TrialFailedException failed(ProbeMessages.Failed error) {
        Map<String, Object> details = new LinkedHashMap<>();
        if (error.exception() != null) {
            details.put("exception", error.exception());
        }
        if (error.frame() != null) {
            details.put("frame", error.frame());
        }
        if (error.traceback() != null) {
            details.put("traceback", error.traceback());
        }
        if (error.details() != null) {
            details.putAll(error.details());
        }
        String log = LogExcerpt.of(process.log());
        if (error.reason() == FailureReason.WORKER_CRASHED) {
            details.put("log", log);
        }
        return failure(
                error.reason(),
                error.message(),
                Advice.onError(error.reason(), details.get("signal"), error.exception(), error.traceback(), log),
                details);
    }

    private TrialFailedException exited(JsonNode exit, String doing) {
        Map<String, Object> details = new LinkedHashMap<>();
        String signal = exit.path("signal").isString() ? exit.get("signal").asString() : "";
        long kills = exit.path("oom_kills").asLong(0);
        FailureReason reason = role == ProbeRole.INLINE ? FailureReason.WORKER_CRASHED : FailureReason.PROBE_LOST;
        String how;
        if (!signal.isEmpty()) {
            details.put("signal", signal);
            how = "was ended by " + signal;
        } else {
            details.put("exit_code", exit.path("exit_code").asInt(-1));
            how = "left with exit code " + exit.path("exit_code").asInt(-1) + " and no result";
        }
        if (signal.equals("SIGKILL")) {
            how = "was killed by SIGKILL, probably for want of memory,";
            if (kills > 0) {
                reason = FailureReason.HOST_OUT_OF_MEMORY;
                details.put("oom_kills", kills);
                how = "was killed by the kernel for want of memory";
            }
        }
        String log = LogExcerpt.of(process.log());
        details.put("log", log);
        String who = role == ProbeRole.INLINE ? "the process that loads without workers " : "the loading process ";
        return failure(
                reason,
                who + how + " while " + doing,
                Advice.onError(reason, details.get("signal"), null, null, log),
                details);
    }

    private TrialFailedException hung(String what, Duration limit, @Nullable String startMethod)
            throws InterruptedException {
        long id = process.send(JSON.createObjectNode().put("command", "stacks"));
        List<ProbeMessages.ProcessStack> stacks = process.await(id, TIME_FOR_STACKS)
                .filter(line -> line.has("result"))
                .map(line -> JSON.treeToValue(line.get("result"), ProbeMessages.Stacks.class)
                        .processes())
                .orElse(List.of());
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("limit_seconds", limit.toMillis() / 1000.0);
        if (startMethod != null) {
            details.put("start_method", startMethod);
        }
        details.put("stacks", stacks);
        details.put("log", LogExcerpt.of(process.log()));
        return failure(
                FailureReason.TIMED_OUT,
                what.formatted(limit.toMillis() / 1000.0),
                Advice.onHang(stacks, startMethod),
                details);
    }

    private static TrialFailedException failure(
            FailureReason reason, String message, String advice, Map<String, Object> details) {
        return new TrialFailedException(new TrialFailure(reason, message, advice, details));
    }
}
