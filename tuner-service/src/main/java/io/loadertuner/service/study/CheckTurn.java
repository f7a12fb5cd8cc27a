package io.loadertuner.service.study;

import io.loadertuner.core.loader.Loader;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.machine.MachineLock;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** A check of a descriptor: builds it, reads a sample and a batch. */
final class CheckTurn implements Turn {
    private static final long SEED = 1;

    private final StudyRequest request;
    private final Loader loader;
    private final Path measuringLock;
    private final CompletableFuture<LoaderFacts> answer = new CompletableFuture<>();
    private final AtomicBoolean settled = new AtomicBoolean();

    CheckTurn(StudyRequest request, Loader loader, Path measuringLock) {
        this.request = request;
        this.loader = loader;
        this.measuringLock = measuringLock;
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
        try (AutoCloseable lock = lock().orElse(null)) {
            if (lock == null) {
                answer.completeExceptionally(new MachineBusyException("another process is measuring on this machine"));
            } else {
                answer.complete(check());
            }
        } catch (InterruptedException stopped) {
            answer.completeExceptionally(new MachineBusyException("the service stops"));
        } catch (Exception | Error failed) {
            answer.completeExceptionally(failed);
        }
    }

    private Optional<MachineLock> lock() throws IOException, InterruptedException {
        return MachineLock.tryAcquire(measuringLock, "check of " + request.name());
    }

    private LoaderFacts check() throws TrialFailedException, InterruptedException {
        StudyReport.Baseline baseline =
                StudyReport.queued("check", request, null).baseline();
        int batchSize = baseline == null ? 1 : baseline.config().batchSize();
        try (LoaderSession session = loader.open(request.descriptor(), SEED)) {
            return session.check(batchSize);
        }
    }
}
