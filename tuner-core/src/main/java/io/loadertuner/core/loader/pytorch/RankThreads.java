package io.loadertuner.core.loader.pytorch;

import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** Makes the same call to every rank at once. When one fails the others are interrupted: none waits for who is gone. */
final class RankThreads {
    private final List<PyTorchSession> sessions;

    RankThreads(List<PyTorchSession> sessions) {
        this.sessions = sessions;
    }

    interface Call<T> {
        T to(PyTorchSession session) throws TrialFailedException, InterruptedException;
    }

    private record Outcome<T>(
            int rank, @Nullable T result, @Nullable Exception problem) {}

    /**
     * The results in the order of the ranks. However it ends, no call is under way any more then.
     *
     * @throws TrialFailedException what failed first, with its rank
     */
    <T> List<T> call(Call<T> call) throws TrialFailedException, InterruptedException {
        BlockingQueue<Outcome<T>> outcomes = new LinkedBlockingQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int rank = 0; rank < sessions.size(); rank++) {
            int number = rank;
            threads.add(DaemonThread.start("rank-" + number, () -> outcomes.add(outcome(call, number))));
        }
        Map<Integer, T> results = new LinkedHashMap<>();
        Outcome<T> failed = null;
        boolean cancelled = false;
        for (int ended = 0; ended < threads.size(); ) {
            try {
                Outcome<T> outcome = outcomes.take();
                ended++;
                T result = outcome.result();
                if (result != null) {
                    results.put(outcome.rank(), result);
                } else if (failed == null) {
                    failed = outcome;
                    threads.forEach(Thread::interrupt);
                }
            } catch (InterruptedException interrupted) {
                cancelled = true;
                threads.forEach(Thread::interrupt);
            }
        }
        if (cancelled) {
            throw new InterruptedException("cancelled while several ranks were under way");
        }
        if (failed != null) {
            throw named(failed.rank(), failed.problem());
        }
        List<T> ordered = new ArrayList<>();
        for (int rank = 0; rank < sessions.size(); rank++) {
            ordered.add(results.get(rank));
        }
        return ordered;
    }

    /**
     * The result of one rank alone, while the others are idle.
     *
     * @throws TrialFailedException what failed, with its rank
     */
    <T> T call(int rank, Call<T> call) throws TrialFailedException, InterruptedException {
        Outcome<T> outcome = outcome(call, rank);
        T result = outcome.result();
        if (result == null) {
            throw named(rank, outcome.problem());
        }
        return result;
    }

    private <T> Outcome<T> outcome(Call<T> call, int rank) {
        try {
            return new Outcome<>(rank, call.to(sessions.get(rank)), null);
        } catch (TrialFailedException | InterruptedException | RuntimeException problem) {
            return new Outcome<>(rank, null, problem);
        }
    }

    private TrialFailedException named(int rank, @Nullable Exception problem) throws InterruptedException {
        if (problem instanceof TrialFailedException failed) {
            TrialFailure failure = failed.failure();
            Map<String, Object> details = new LinkedHashMap<>();
            details.put("rank", rank);
            details.putAll(failure.details());
            String message = new Rank(rank, sessions.size()) + ": " + failure.message();
            return new TrialFailedException(
                    new TrialFailure(failure.reason(), message, failure.advice(), details), failed);
        }
        if (problem instanceof InterruptedException interrupted) {
            throw interrupted;
        }
        throw new IllegalStateException(new Rank(rank, sessions.size()) + " could not be asked", problem);
    }
}
