package io.loadertuner.core.measure;

import io.loadertuner.core.space.LoaderConfig;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Finds the window that counts in the arrivals of a round. The probe stops a round by the same rule
 * ({@code loader_probe/window.py}), so that the window found closes with the round's last batch.
 *
 * <p>Arrivals are in microseconds since {@code iter()}, ascending, one for each batch from the first on.
 */
public final class WindowRule {
    private static final double MICROS = 1e6;

    /** A step may take so many times its mean without a batch having been waited for. */
    private static final double LONGEST_STEP = 1.1;

    /** A step that is quicker than its loader by a twentieth has emptied the queue when it has read 21 times as many batches. */
    private static final int QUEUES_WITHOUT_A_WAIT = 21;

    private final LoaderConfig config;
    private final RoundPlan plan;

    public WindowRule(LoaderConfig config, RoundPlan plan) {
        this.config = config;
        this.plan = plan;
    }

    /**
     * The window of a loader that was built for the round: it opens with the first worker's first batch after both parts of
     * the warm-up. With the first batch of any worker it would mostly open just after the gap between two clumps, leave
     * that gap out, and find a rate up to 3 % too high. Empty if the round is too short.
     */
    public Optional<WindowEdges> windowIn(List<Long> arrivalsMicros) {
        int first = wholeCycles(plan.warmupBatches());
        long origin = arrivalsMicros.isEmpty() || config.numWorkers() == 0 ? 0 : arrivalsMicros.get(0);
        return opening(arrivalsMicros, warm(arrivalsMicros, origin, first));
    }

    /**
     * The window of a loader that nobody read for a while. It opens once the batches are gone that waited in the queue, and
     * with them those that the workers began all at once: workers × prefetch further batches and both parts of the warm-up;
     * at once without workers. Beside a step that is quicker than the loader, but not much, the queue empties slowly, and
     * what comes until then is the step's own rate: so whole cycles more, until a batch was waited for in one, or so many
     * queues have been read that the step must be the slower of the two, and the queue is to stay full. Empty if there are
     * too few batches.
     *
     * @param pausedAfter index of the last batch taken before the pause
     * @param stepSeconds what the step takes for a batch, 0 without one
     */
    public Optional<WindowEdges> windowAfterPause(List<Long> arrivalsMicros, int pausedAfter, double stepSeconds) {
        int resumed = pausedAfter + 1;
        if (config.numWorkers() == 0 || resumed >= arrivalsMicros.size()) {
            return opening(arrivalsMicros, resumed);
        }
        int settled = resumed + config.batchesInFlight() + plan.warmupBatches();
        int first = warm(arrivalsMicros, arrivalsMicros.get(resumed), settled);
        int atMost = resumed + QUEUES_WITHOUT_A_WAIT * config.batchesInFlight();
        while (stepSeconds > 0 && first < atMost && !isWaitedFor(arrivalsMicros, first, stepSeconds)) {
            first += plan.cycle();
        }
        return opening(arrivalsMicros, first);
    }

    /** Whether one of the cycle of batches up to {@code last} came later than the step was ready for it. */
    private boolean isWaitedFor(List<Long> arrivalsMicros, int last, double stepSeconds) {
        double longestStepMicros = LONGEST_STEP * stepSeconds * MICROS;
        for (int batch = last - plan.cycle() + 1; batch <= last && batch < arrivalsMicros.size(); batch++) {
            if (arrivalsMicros.get(batch) - arrivalsMicros.get(batch - 1) > longestStepMicros) {
                return true;
            }
        }
        return false;
    }

    /**
     * The window of one of several ranks that are measured at once: it waits for the others to be warm and to have enough,
     * so it opens and closes no earlier than it would alone, at whole cycles all the same.
     *
     * @param window where the rank says that it opened and closed
     * @throws IllegalStateException if it is no such window
     */
    public WindowEdges requireAmongOthers(List<Long> arrivalsMicros, WindowEdges window) {
        WindowEdges alone = windowIn(arrivalsMicros)
                .orElseThrow(() -> new IllegalStateException(
                        "no window lies in the " + arrivalsMicros.size() + " batches of the round"));
        boolean aligned = (window.first() - alone.first()) % plan.cycle() == 0 && window.batches() % plan.cycle() == 0;
        OptionalInt least =
                window.first() < alone.first() ? OptionalInt.empty() : closing(arrivalsMicros, window.first());
        if (!aligned || least.isEmpty() || window.last() < least.getAsInt() || window.last() >= arrivalsMicros.size()) {
            throw new IllegalStateException("samples were counted in " + window + ", which is no window of a round that"
                    + " alone would have had " + alone);
        }
        return window;
    }

    /** Index of the batch, whole cycles after {@code first}, that follows the origin by the warm-up's seconds. */
    private int warm(List<Long> arrivalsMicros, long originMicros, int first) {
        long warmupMicros = Math.round(plan.warmupSeconds() * MICROS);
        int batch = first;
        while (batch < arrivalsMicros.size() && arrivalsMicros.get(batch) - originMicros < warmupMicros) {
            batch += plan.cycle();
        }
        return batch;
    }

    private int wholeCycles(int batches) {
        return (batches + plan.cycle() - 1) / plan.cycle() * plan.cycle();
    }

    private Optional<WindowEdges> opening(List<Long> arrivalsMicros, int first) {
        OptionalInt last = closing(arrivalsMicros, first);
        return last.isPresent() ? Optional.of(new WindowEdges(first, last.getAsInt())) : Optional.empty();
    }

    private OptionalInt closing(List<Long> arrivalsMicros, int first) {
        long windowMicros = Math.round(plan.windowSeconds() * MICROS);
        long maxWindowMicros = Math.round(plan.maxWindowSeconds() * MICROS);
        int least = plan.minCycles() * plan.cycle();
        for (int last = first + plan.cycle(); last < arrivalsMicros.size(); last += plan.cycle()) {
            long open = arrivalsMicros.get(last) - arrivalsMicros.get(first);
            if (open >= maxWindowMicros || (last - first >= least && open >= windowMicros)) {
                return OptionalInt.of(last);
            }
        }
        return OptionalInt.empty();
    }
}
