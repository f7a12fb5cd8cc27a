package io.loadertuner.service.study;

import io.loadertuner.core.loader.ProcessLog;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.TrialState;
import io.loadertuner.core.tuning.FailureRecord;
import io.loadertuner.core.tuning.Journal;
import io.loadertuner.core.tuning.Preparation;
import io.loadertuner.core.tuning.RoundRecord;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.TrialRecord;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.transaction.support.TransactionOperations;

/**
 * A study's journal in the database. Every call is committed when it returns, and none is interrupted. One that stores something
 * fails with {@link io.loadertuner.service.replica.LeaseLostException} where another service has taken the study over.
 */
final class StudyJournal implements Journal {
    private final String id;
    private final StudyStore studies;
    private final TrialStore trials;
    private final LogStore logs;
    private final StudyLedger ledger;
    private final StudyEvents followers;
    private final StudyMeters meters;
    private final TransactionOperations transaction;
    private final InterruptShield shield;
    private long begunNanos;

    StudyJournal(
            String id,
            StudyStore studies,
            TrialStore trials,
            LogStore logs,
            StudyLedger ledger,
            StudyEvents followers,
            StudyMeters meters,
            TransactionOperations transaction,
            InterruptShield shield) {
        this.id = id;
        this.studies = studies;
        this.trials = trials;
        this.logs = logs;
        this.ledger = ledger;
        this.followers = followers;
        this.meters = meters;
        this.transaction = transaction;
        this.shield = shield;
    }

    @Override
    public Optional<Preparation> preparation() {
        return shield.call(() -> studies.preparation(id));
    }

    @Override
    public void prepared(Preparation preparation) {
        store(() -> studies.prepared(id, preparation));
    }

    @Override
    public List<TrialRecord> trials() {
        return shield.call(() -> trials.all(id));
    }

    @Override
    public void roundBegun(int number, LoaderConfig config) {
        begunNanos = System.nanoTime();
        LogMarks.trialBegun(number);
        store(() -> trials.begun(id, number, config));
        followers.happened(id);
    }

    @Override
    public void printed(int number, ProcessLog log) {
        store(() -> logs.append(id, number, log));
    }

    @Override
    public void roundMeasured(int number, RoundRecord round, List<Long> arrivalsMicros) {
        boolean first = stored(() -> trials.measured(id, number, round, arrivalsMicros));
        if (first) {
            meters.trialEnded(TrialState.COMPLETE, null, sinceBegun());
        }
        followers.happened(id);
        LogMarks.trialEnded();
    }

    @Override
    public void trialFailed(int number, FailureRecord failure) {
        store(() -> trials.failed(id, number, failure));
        meters.trialEnded(TrialState.FAILED, failure.failure().reason(), sinceBegun());
        followers.happened(id);
        LogMarks.trialEnded();
    }

    @Override
    public void roundAbandoned(int number) {
        store(() -> trials.abandoned(id, number));
        LogMarks.trialEnded();
    }

    @Override
    public void reported(StudyReport report) {
        shield.run(() -> ledger.reported(report));
    }

    private void store(Runnable work) {
        stored(() -> {
            work.run();
            return true;
        });
    }

    /** Only while the study is this service's own. */
    private <T> T stored(Supplier<T> work) {
        return shield.call(() -> Objects.requireNonNull(transaction.execute(status -> {
            studies.requireHeld(id);
            return work.get();
        })));
    }

    private Duration sinceBegun() {
        return Duration.ofNanos(System.nanoTime() - begunNanos);
    }
}
