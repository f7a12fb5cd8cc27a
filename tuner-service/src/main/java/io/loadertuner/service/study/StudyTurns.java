package io.loadertuner.service.study;

import io.loadertuner.service.runner.Runner;
import java.time.Instant;
import java.time.InstantSource;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/** Makes the turns of studies and retries: what all of them need. */
@Component
class StudyTurns {
    private final StudyStore studies;
    private final TrialStore trials;
    private final LogStore logs;
    private final RetryStore retries;
    private final StudyLedger ledger;
    private final StudyEnds ends;
    private final StudyEvents followers;
    private final StudyMeters meters;
    private final Admission admission;
    private final Runner runner;
    private final RecommendationLog recommendations;
    private final HangStore hangs;
    private final InstantSource clock;
    private final TransactionOperations transaction;

    StudyTurns(
            StudyStore studies,
            TrialStore trials,
            LogStore logs,
            RetryStore retries,
            HangStore hangs,
            StudyLedger ledger,
            StudyEnds ends,
            StudyEvents followers,
            StudyMeters meters,
            Admission admission,
            Runner runner,
            RecommendationLog recommendations,
            InstantSource clock,
            TransactionOperations transaction) {
        this.studies = studies;
        this.trials = trials;
        this.logs = logs;
        this.retries = retries;
        this.ledger = ledger;
        this.ends = ends;
        this.followers = followers;
        this.meters = meters;
        this.admission = admission;
        this.runner = runner;
        this.recommendations = recommendations;
        this.hangs = hangs;
        this.clock = clock;
        this.transaction = transaction;
    }

    StudyTurn of(StoredStudy study) {
        return new StudyTurn(study, this);
    }

    RetryTurn of(Retry retry) {
        return new RetryTurn(retry, this);
    }

    Instant now() {
        return clock.instant();
    }

    TrialStore trials() {
        return trials;
    }

    LogStore logs() {
        return logs;
    }

    RetryStore retries() {
        return retries;
    }

    StudyStore studies() {
        return studies;
    }

    StudyLedger ledger() {
        return ledger;
    }

    StudyEnds ends() {
        return ends;
    }

    Admission admission() {
        return admission;
    }

    Runner runner() {
        return runner;
    }

    EarlierTrials earlier(InterruptShield shield) {
        return new EarlierTrials(recommendations, hangs, shield);
    }

    TransactionOperations transaction() {
        return transaction;
    }

    StudyJournal journal(String id, InterruptShield shield) {
        return new StudyJournal(id, studies, trials, logs, ledger, followers, meters, transaction, shield);
    }
}
