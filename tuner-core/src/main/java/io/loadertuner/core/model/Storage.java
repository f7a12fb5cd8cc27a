package io.loadertuner.core.model;

import java.util.ArrayDeque;
import java.util.Queue;

/** Serves so many samples at a time, the others in the order of their asking. */
final class Storage {

    private record Request(double seconds, Runnable then) {}

    private final Timeline timeline;
    private final Queue<Request> queue = new ArrayDeque<>();
    private int free;

    Storage(Timeline timeline, int concurrency) {
        this.timeline = timeline;
        this.free = concurrency;
    }

    void serve(double seconds, Runnable then) {
        Request request = new Request(seconds, then);
        if (free > 0) {
            free--;
            begin(request);
        } else {
            queue.add(request);
        }
    }

    private void begin(Request request) {
        timeline.after(request.seconds, () -> {
            Request next = queue.poll();
            if (next == null) {
                free++;
            } else {
                begin(next);
            }
            request.then.run();
        });
    }
}
