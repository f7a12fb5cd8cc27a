package io.loadertuner.service.study;

import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyState;
import java.time.Instant;
import java.time.InstantSource;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/** Writes how studies stand, and what a completed one recommends with it. */
@Component
class StudyLedger {
    private final StudyStore studies;
    private final RecommendationLog recommendations;
    private final TransactionOperations transaction;
    private final InstantSource clock;

    StudyLedger(
            StudyStore studies,
            RecommendationLog recommendations,
            TransactionOperations transaction,
            InstantSource clock) {
        this.studies = studies;
        this.recommendations = recommendations;
        this.transaction = transaction;
        this.clock = clock;
    }

    void reported(StudyReport report) {
        Instant now = clock.instant();
        transaction.executeWithoutResult(status -> {
            boolean recommends = report.state() == StudyState.COMPLETED && report.recommendation() != null;
            StudyReport stored = recommends ? report.storedAs(recommendations.add(report, now)) : report;
            studies.report(stored, report.state().isOver() ? now : null);
        });
    }

    /** Ends a study that did not come to an end of its own; what was measured stays. */
    void ended(StudyReport newest, StudyState state, TrialFailure why) {
        reported(newest.ended(state, why));
    }
}
