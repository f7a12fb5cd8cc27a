package io.loadertuner.core.loader.pytorch;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.ProcessLog;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Two probes of one dataset: the inline one reads samples itself (check, loaders without workers), the warm one only runs
 * loaders with workers. Each is replaced after a failure.
 */
final class SessionProbes implements AutoCloseable {
    private final Nursery nursery;
    private final TimeLimits limits;
    private final OpenRequest request;
    private final BoundedLog printed;
    private final Map<ProbeRole, OpenProbe> probes = new EnumMap<>(ProbeRole.class);
    private final List<Leftover> left = new ArrayList<>();

    /**
     * @param nursery is told when this is closed
     * @param printed gathers what all of them print
     */
    SessionProbes(Nursery nursery, TimeLimits limits, OpenRequest request, BoundedLog printed) {
        this.nursery = nursery;
        this.limits = limits;
        this.request = request;
        this.printed = printed;
    }

    /** Builds the dataset in both at once; what the inline one says of it. */
    ProbeMessages.Opened open() throws TrialFailedException, InterruptedException {
        OpenProbe inline = start(ProbeRole.INLINE);
        OpenProbe warm = start(ProbeRole.WARM);
        long inlineId = inline.send(request.toJson());
        long warmId = warm.send(request.toJson());
        ProbeMessages.Opened opened = awaitOpened(inline, inlineId);
        awaitOpened(warm, warmId);
        return opened;
    }

    /** What is said to a probe, and what comes of it. */
    interface Conversation<T> {
        T with(OpenProbe probe) throws TrialFailedException, InterruptedException;
    }

    /** Replaces the probe before the next conversation if anything at all goes wrong in this one. */
    <T> T with(ProbeRole role, Conversation<T> conversation) throws TrialFailedException, InterruptedException {
        boolean sound = false;
        try {
            T result = conversation.with(probe(role));
            sound = true;
            return result;
        } catch (RuntimeException unusable) {
            throw new TrialFailedException(
                    TrialFailure.of(
                            FailureReason.RUNNER_ERROR, "the probe's answer cannot be used: " + unusable.getMessage()),
                    unusable);
        } finally {
            if (!sound) {
                discard(role);
            }
        }
    }

    /** Has the next conversation begin with a fresh one. */
    void discard(ProbeRole role) {
        OpenProbe probe = probes.remove(role);
        if (probe != null) {
            left.addAll(probe.end());
        }
    }

    /** A trial begins where nothing is left of an earlier one, whichever probe ran it. */
    void requireNothingLeft() throws TrialFailedException, InterruptedException {
        for (ProbeRole role : ProbeRole.values()) {
            OpenProbe probe = probes.get(role);
            if (probe != null && !probe.tidy()) {
                discard(role);
            }
        }
        left.removeIf(thing -> !thing.isThere());
        if (!left.isEmpty()) {
            List<String> things = left.stream().map(Leftover::described).toList();
            throw new TrialFailedException(TrialFailure.of(
                    FailureReason.RUNNER_ERROR,
                    "of an earlier trial there is left, and cannot be ended: " + String.join(", ", things)
                            + "; nothing is measured beside that",
                    Map.of("left", things)));
        }
    }

    /** What all of them printed since the last call. */
    ProcessLog takeLog() {
        return printed.take();
    }

    /** Says that {@link #close} will be called, so that several end at once. */
    void askToStop() {
        nursery.waitNoMore();
        probes.values().forEach(OpenProbe::askToStop);
    }

    @Override
    public void close() {
        askToStop();
        for (ProbeRole role : ProbeRole.values()) {
            discard(role);
        }
        nursery.sessionEnded();
    }

    private OpenProbe probe(ProbeRole role) throws TrialFailedException, InterruptedException {
        OpenProbe current = probes.get(role);
        if (current != null && current.isAlive()) {
            return current;
        }
        discard(role);
        OpenProbe fresh = start(role);
        awaitOpened(fresh, fresh.send(request.toJson()));
        return fresh;
    }

    private OpenProbe start(ProbeRole role) throws TrialFailedException, InterruptedException {
        OpenProbe probe = new OpenProbe(new ProbeProcess(nursery.begin(role), printed), role, limits);
        probes.put(role, probe);
        return probe;
    }

    private ProbeMessages.Opened awaitOpened(OpenProbe probe, long id)
            throws TrialFailedException, InterruptedException {
        return probe.answer(
                id, limits.open(), "importing PyTorch and building the dataset", ProbeMessages.Opened.class);
    }
}
