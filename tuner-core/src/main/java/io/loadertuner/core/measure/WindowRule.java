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
        long warmupMicros = Math.round(plan.warmupSeconds() * MICROS);
        int batches = arrivalsMicros.size();
        long origin = batches == 0 || config.numWorkers() == 0 ? 0 : arrivalsMicros.get(0);
        int first = wholeCycles(plan.warmupBatches());
        while (first < batches && arrivalsMicros.get(first) - origin < warmupMicros) {
            first += plan.cycle();
        }
        return opening(arrivalsMicros, first);
    }

    /**
     * The window of a loader that nobody read for a while. It opens once the batches are gone that waited in the queue, and
     * with them those that the workers began all at once: workers × prefetch further batches and the warm-up's; none without
     * workers. Empty if there are too few.
     *
     * <p>For loaders without a step, or with one that is slower than they are. One that is quicker, but not much, empties
     * the queue slowly, and what is found until then is the step's own rate.
     *
     * @param pausedAfter index of the last batch taken before the pause
     */
    public Optional<WindowEdges> windowAfterPause(List<Long> arrivalsMicros, int pausedAfter) {
        int settling = config.numWorkers() == 0 ? 0 : config.batchesInFlight() + plan.warmupBatches();
        return opening(arrivalsMicros, pausedAfter + 1 + settling);
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
