package io.loadertuner.service.study;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.stereotype.Component;

/** Tells those who wait for a study that it is over, or that it will not be for now: the service stops. */
@Component
class StudyEnds {
    private final Map<String, CompletableFuture<Void>> awaited = new HashMap<>();
    private boolean stopped;

    /** Completes when the study ends after this call, or the service stops. */
    synchronized CompletableFuture<Void> of(String id) {
        return stopped
                ? CompletableFuture.completedFuture(null)
                : awaited.computeIfAbsent(id, any -> new CompletableFuture<>());
    }

    /** The studies that somebody waits for. */
    synchronized List<String> awaited() {
        return List.copyOf(awaited.keySet());
    }

    void ended(String id) {
        CompletableFuture<Void> end;
        synchronized (this) {
            end = awaited.remove(id);
        }
        if (end != null) {
            end.complete(null);
        }
    }

    void stop() {
        List<CompletableFuture<Void>> all;
        synchronized (this) {
            stopped = true;
            all = List.copyOf(awaited.values());
            awaited.clear();
        }
        all.forEach(end -> end.complete(null));
    }
}
