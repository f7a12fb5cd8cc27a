package io.loadertuner.service.study;

import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.service.runner.Runner;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** A check of a descriptor: builds it, reads a sample and a batch. */
final class CheckTurn implements Turn {
    private final StudyRequest request;
    private final Runner runner;
    private final CompletableFuture<LoaderFacts> answer = new CompletableFuture<>();
    private final AtomicBoolean settled = new AtomicBoolean();

    CheckTurn(StudyRequest request, Runner runner) {
        this.request = request;
        this.runner = runner;
    }

    /** What was found; fails with what the loader failed with, or {@link MachineBusyException}. */
    CompletableFuture<LoaderFacts> answer() {
        return answer;
    }

    /** Ends the wait for a turn that has not come. */
    void giveUp() {
        if (settled.compareAndSet(false, true)) {
            answer.completeExceptionally(new MachineBusyException("a study is being measured on this machine"));
        }
    }

    @Override
    public void drop() {
        giveUp();
    }

    @Override
    public void take(InterruptShield shield) {
        if (!settled.compareAndSet(false, true)) {
            return;
        }
        try {
            Optional<LoaderFacts> found = runner.check(request);
            if (found.isPresent()) {
                answer.complete(found.get());
            } else {
                answer.completeExceptionally(new MachineBusyException("another process is measuring on this machine"));
            }
        } catch (InterruptedException stopped) {
            answer.completeExceptionally(new MachineBusyException("the service stops"));
        } catch (Exception | Error failed) {
            answer.completeExceptionally(failed);
        }
    }
}
