package io.loadertuner.core.model;

import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * Simulated time: waits that end at a moment, and work that ends when its share of the cores has done it.
 *
 * <p>All runnable processes get the same share, so one sum tells how far each has come: the core seconds that a process
 * would have got since the beginning. A piece of work ends when that sum has grown by its length.
 */
final class Timeline {

    private record Event(double at, long order, Runnable then) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Double.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final ModelledCores cores;
    private final Queue<Runnable> due = new ArrayDeque<>();
    private final PriorityQueue<Event> waits = new PriorityQueue<>();
    private final PriorityQueue<Event> work = new PriorityQueue<>();
    private double nowSeconds;
    private double shareSeconds;
    private long order;

    Timeline(ModelledCores cores) {
        this.cores = cores;
    }

    double nowSeconds() {
        return nowSeconds;
    }

    /** Goes on with {@code then} after a time in which no core is needed; at once for none. */
    void after(double seconds, Runnable then) {
        if (seconds > 0) {
            waits.add(new Event(nowSeconds + seconds, order++, then));
        } else {
            due.add(then);
        }
    }

    /** Goes on with {@code then} when a core has worked so long for it; at once for no work. */
    void work(double cpuSeconds, Runnable then) {
        if (cpuSeconds > 0) {
            work.add(new Event(shareSeconds + cpuSeconds, order++, then));
        } else {
            due.add(then);
        }
    }

    /**
     * Takes the next event.
     *
     * @return false if there is none
     */
    boolean advance() {
        Runnable ready = due.poll();
        if (ready != null) {
            ready.run();
            return true;
        }
        Event wait = waits.peek();
        Event piece = work.peek();
        if (piece == null) {
            return wait != null && endWait(waits.remove());
        }
        double speed = cores.speed(work.size());
        double pieceEnds = nowSeconds + (piece.at - shareSeconds) / speed;
        if (wait != null && wait.at <= pieceEnds) {
            shareSeconds = Math.min(piece.at, shareSeconds + (wait.at - nowSeconds) * speed);
            return endWait(waits.remove());
        }
        nowSeconds = pieceEnds;
        shareSeconds = piece.at;
        work.remove().then.run();
        return true;
    }

    private boolean endWait(Event wait) {
        nowSeconds = wait.at;
        wait.then.run();
        return true;
    }
}
