package io.loadertuner.core.loader.pytorch;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.MeasuredRound;
import io.loadertuner.core.loader.ProcessLog;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.measure.RoundPlan;
import io.loadertuner.core.space.LoaderConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Several ranks as one loader: each has a session of its own, all are asked at once, and the answer is about all. */
final class RankedSession implements LoaderSession {
    private final List<PyTorchSession> sessions;
    private final RankThreads ranks;

    /**
     * @param sessions of ranks 0, 1, …
     */
    RankedSession(List<PyTorchSession> sessions) {
        this.sessions = List.copyOf(sessions);
        this.ranks = new RankThreads(this.sessions);
    }

    void open() throws TrialFailedException, InterruptedException {
        ranks.call(session -> {
            session.open();
            return session;
        });
    }

    /** Every rank reads a sample and a batch; told is what rank 0 found. */
    @Override
    public LoaderFacts check(int batchSize) throws TrialFailedException, InterruptedException {
        return ranks.call(session -> session.check(batchSize)).get(0);
    }

    /** Ranks step together, so all are as fast as the slowest. */
    @Override
    public double stepAlone(LoaderConfig config) throws TrialFailedException, InterruptedException {
        return sessions.size()
                * ranks.call(session -> session.stepAlone(config)).stream()
                        .mapToDouble(Double::doubleValue)
                        .min()
                        .orElseThrow();
    }

    @Override
    public MeasuredRound measure(LoaderConfig config, RoundPlan plan, boolean withStep)
            throws TrialFailedException, InterruptedException {
        // Before any of them waits for the others: a rank that has to be replaced takes seconds to come back.
        ranks.call(session -> session.ready(config));
        Path meeting = meetingPlace();
        try {
            return new RankTotals(ranks.call(session -> session.measureAmongOthers(config, plan, withStep, meeting)))
                    .round();
        } catch (IllegalStateException unusable) {
            throw new TrialFailedException(
                    TrialFailure.of(
                            FailureReason.RUNNER_ERROR, "the ranks' answers cannot be used: " + unusable.getMessage()),
                    unusable);
        } finally {
            // Gone as a rule, as soon as all ranks have met.
            if (Files.exists(meeting)) {
                ProbeFiles.delete(meeting);
            }
        }
    }

    /** The samples of one rank are compared: every rank has the same dataset and workers of the same kind. */
    @Override
    public Optional<String> verify(LoaderConfig config, Duration atMost)
            throws TrialFailedException, InterruptedException {
        return ranks.call(0, session -> session.verify(config, atMost));
    }

    /** Rank by rank, each under its name; nothing of ranks that printed nothing. */
    @Override
    public ProcessLog takeLog() {
        ProcessLog all = ProcessLog.EMPTY;
        for (int number = 0; number < sessions.size(); number++) {
            ProcessLog own = sessions.get(number).takeLog();
            if (!own.isEmpty()) {
                all = all.then(ProcessLog.of("[" + new Rank(number, sessions.size()) + "]\n"))
                        .then(own);
            }
        }
        return all;
    }

    @Override
    public void close() {
        sessions.forEach(PyTorchSession::askToStop);
        sessions.forEach(PyTorchSession::close);
    }

    private static Path meetingPlace() throws TrialFailedException {
        try {
            return Files.createTempDirectory("loader-tuner-ranks-");
        } catch (IOException notMade) {
            throw new TrialFailedException(
                    TrialFailure.of(
                            FailureReason.RUNNER_ERROR,
                            "the folder in which ranks meet could not be made: " + notMade.getMessage()),
                    notMade);
        }
    }
}
