package io.loadertuner.service.study;

import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.service.replica.LeaseLostException;
import io.loadertuner.service.study.StudyEvent.Kind;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/** Writes how studies stand, and what a completed one recommends with it. */
@Component
class StudyLedger {
    private static final Logger log = LoggerFactory.getLogger(StudyLedger.class);

    private final StudyStore studies;
    private final TrialStore trials;
    private final RecommendationLog recommendations;
    private final EventStore events;
    private final StudyEvents followers;
    private final StudyMeters meters;
    private final TransactionOperations transaction;
    private final InstantSource clock;

    StudyLedger(
            StudyStore studies,
            TrialStore trials,
            RecommendationLog recommendations,
            EventStore events,
            StudyEvents followers,
            StudyMeters meters,
            TransactionOperations transaction,
            InstantSource clock) {
        this.studies = studies;
        this.trials = trials;
        this.recommendations = recommendations;
        this.events = events;
        this.followers = followers;
        this.meters = meters;
        this.transaction = transaction;
        this.clock = clock;
    }

    /**
     * @param idempotencyKey null where it was posted without one
     * @param askedBy null where nobody had to say who they are
     * @param drift why it is needed; null where somebody asked for it
     * @throws org.springframework.dao.DuplicateKeyException if a study with that key is there
     */
    void queued(
            StudyRequest admitted,
            StudyReport queued,
            @Nullable String idempotencyKey,
            @Nullable String askedBy,
            @Nullable Object drift) {
        transaction.executeWithoutResult(status -> {
            studies.add(admitted, queued, idempotencyKey, askedBy, clock.instant());
            if (drift != null) {
                events.add(queued.id(), Kind.DRIFT, drift);
            }
        });
    }

    void reported(StudyReport report) {
        transaction.executeWithoutResult(status -> {
            studies.requireHeld(report.id());
            store(report);
            if (report.state().isOver()) {
                trials.settle(report.id());
                events.add(report.id(), Kind.STUDY_FINISHED, null);
            }
        });
        if (report.state().isOver()) {
            meters.studyEnded(report.state());
        }
        followers.happened(report.id());
    }

    /**
     * Ends a study that did not come to an end of its own; what was measured stays. It ends also where its trials are
     * what cannot be written.
     *
     * @throws LeaseLostException if another service runs it
     */
    void ended(StoredStudy newest, StudyState state, TrialFailure why) {
        Optional<StudyReport> report = readable(newest, clock.instant());
        transaction.executeWithoutResult(status -> {
            studies.requireFree(newest.id());
            if (report.isPresent()) {
                store(report.get().ended(state, why));
            } else {
                studies.end(newest.id(), state, newest.bareReport(state, why), clock.instant());
            }
            events.add(newest.id(), Kind.STUDY_FINISHED, null);
        });
        try {
            transaction.executeWithoutResult(status -> trials.settle(newest.id()));
        } catch (RuntimeException unsettled) {
            LogMarks.during(
                    newest.id(),
                    () -> log.error("The open trials of study {} cannot be closed", newest.id(), unsettled));
        }
        meters.studyEnded(state);
        followers.happened(newest.id());
    }

    private void store(StudyReport report) {
        Instant now = clock.instant();
        boolean recommends = report.state() == StudyState.COMPLETED && report.recommendation() != null;
        if (!recommends) {
            studies.report(report, now);
            return;
        }
        RecommendationLog.Added added = recommendations.add(report, now);
        studies.report(report.storedAs(added.id()), now);
        if (added.change() != null) {
            events.add(report.id(), Kind.RECOMMENDATION_CHANGED, added.change());
        }
    }

    private static Optional<StudyReport> readable(StoredStudy study, Instant now) {
        try {
            return Optional.of(study.reportAt(now));
        } catch (RuntimeException unreadable) {
            LogMarks.during(
                    study.id(),
                    () -> log.error(
                            "The report of study {} cannot be read; the study ends without it",
                            study.id(),
                            unreadable));
            return Optional.empty();
        }
    }
}
