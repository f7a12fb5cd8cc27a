package io.loadertuner.service.study;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.ProcessLog;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.tuning.Preparation;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.core.tuning.StudySurface;
import io.loadertuner.core.tuning.TrialRecord;
import io.loadertuner.core.tuning.TrialReport;
import io.loadertuner.service.machine.ThisMachine;
import io.loadertuner.service.replica.Bulletin;
import io.loadertuner.service.replica.LeaseLostException;
import io.loadertuner.service.replica.Notice;
import io.loadertuner.service.replica.Notice.Kind;
import io.loadertuner.service.runner.Runner;
import io.loadertuner.service.study.RetryRefusedException.Cause;
import io.loadertuner.service.web.Page;
import io.loadertuner.service.web.PageRequest;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;
import tools.jackson.databind.node.ObjectNode;

/** What can be done with studies. */
@Service
class StudyService implements StudyQueue {
    private static final Logger log = LoggerFactory.getLogger(StudyService.class);
    private static final long SECONDS_TO_WAIT_FOR_A_TURN = 5;

    private final StudyStore studies;
    private final TrialStore trials;
    private final LogStore logs;
    private final RetryStore retries;
    private final StudyLedger ledger;
    private final StudyEnds ends;
    private final Admission admission;
    private final Caller caller;
    private final MeasuringThread measuring;
    private final Runner runner;
    private final InstantSource clock;
    private final Bulletin bulletin;
    private final String machineType;
    private final @Nullable String device;

    StudyService(
            StudyStore studies,
            TrialStore trials,
            LogStore logs,
            RetryStore retries,
            StudyLedger ledger,
            StudyEnds ends,
            Admission admission,
            Caller caller,
            MeasuringThread measuring,
            Runner runner,
            InstantSource clock,
            Bulletin bulletin,
            ThisMachine machine) {
        this.studies = studies;
        this.trials = trials;
        this.logs = logs;
        this.retries = retries;
        this.ledger = ledger;
        this.ends = ends;
        this.admission = admission;
        this.caller = caller;
        this.measuring = measuring;
        this.runner = runner;
        this.clock = clock;
        this.bulletin = bulletin;
        this.machineType = machine.type();
        this.device = machine.atStart().deviceForCertain();
    }

    @Override
    public StudyRequest admitted(StudyRequest request) {
        return admission.admit(request);
    }

    /** No caller's key begins with a space. */
    @Override
    public Queued queueOnce(StudyRequest request, String reason) {
        StudyRequest admitted = allowed(request);
        String id = UUID.randomUUID().toString();
        return queue(id, admitted, " " + reason)
                .map(before -> new Queued(before.id(), before.state()))
                .orElse(new Queued(id, StudyState.QUEUED));
    }

    @Override
    public Queued queueScheduled(StudyRequest request, String reason, @Nullable Object drift) {
        StudyRequest admitted = admission.admit(request);
        String id = UUID.randomUUID().toString();
        Optional<StoredStudy> before = queue(id, admitted, " " + reason, drift, false);
        return before.map(study -> new Queued(study.id(), study.state())).orElse(new Queued(id, StudyState.QUEUED));
    }

    /**
     * Queues a study and answers its id.
     *
     * @param idempotencyKey where one was posted with it before, that study is answered; null to queue one in any case
     * @throws IdempotencyKeyReusedException if something else was posted with it before
     */
    String post(StudyRequest request, @Nullable String idempotencyKey) {
        StudyRequest admitted = allowed(request);
        String id = UUID.randomUUID().toString();
        Optional<StoredStudy> before = queue(id, admitted, idempotencyKey);
        before.ifPresent(study -> {
            if (!study.request().equals(admitted)) {
                throw new IdempotencyKeyReusedException(study.id());
            }
        });
        return before.map(StoredStudy::id).orElse(id);
    }

    private StudyRequest allowed(StudyRequest request) {
        if (request.runsCode()) {
            caller.requireCode();
        }
        return admission.admit(request);
    }

    /**
     * Queues a study; what was queued with that key before, if anything was, takes its place. One at a time, so that of many who
     * bring the same key only the first has queued a study.
     */
    private Optional<StoredStudy> queue(String id, StudyRequest admitted, @Nullable String key) {
        return queue(id, admitted, key, null, true);
    }

    private synchronized Optional<StoredStudy> queue(
            String id, StudyRequest admitted, @Nullable String key, @Nullable Object drift, boolean counted) {
        Optional<StoredStudy> before = Optional.ofNullable(key).flatMap(studies::postedWith);
        if (before.isPresent()) {
            return before;
        }
        if (counted) {
            caller.requireAnotherStudy();
        }
        try {
            ledger.queued(
                    admitted,
                    StudyReport.queued(id, admitted, device),
                    key,
                    caller.name().orElse(null),
                    drift);
        } catch (DuplicateKeyException queued) {
            return Optional.of(
                    Optional.ofNullable(key).flatMap(studies::postedWith).orElseThrow(() -> queued));
        }
        LogMarks.during(id, () -> log.info("Study {} of {} is queued", id, admitted.name()));
        measuring.somethingQueued();
        return Optional.empty();
    }

    /** Completes when the study is over, or the service stops before. */
    CompletableFuture<Void> end(String id) {
        CompletableFuture<Void> end = ends.of(id);
        if (find(id).state().isOver()) {
            end.complete(null);
        }
        return end;
    }

    /**
     * @throws UnknownStudyException if there is none
     */
    StoredStudy find(String id) {
        return studies.find(id).orElseThrow(() -> new UnknownStudyException("there is no study '" + id + "'"));
    }

    /** A study as it is answered now. */
    ObjectNode answer(StoredStudy study) {
        return study.answer(clock.instant());
    }

    Page<ObjectNode> list(StudyFilter filter, PageRequest page) {
        List<StoredStudy> found = studies.list(filter, page.cursor(), page.limit() + 1);
        return Page.of(found, page.limit(), StoredStudy::posted, this::answer);
    }

    Page<TrialReport> trials(String id, PageRequest page) {
        find(id);
        long after = Optional.ofNullable(page.cursor()).orElse(0L);
        List<TrialRecord> found = trials.after(id, (int) Math.min(after, Integer.MAX_VALUE), page.limit() + 1);
        Optional<Preparation> preparation = studies.preparation(id);
        return Page.of(
                found, page.limit(), trial -> (long) trial.number(), trial -> TrialReport.of(trial, preparation));
    }

    /**
     * @throws UnknownStudyException if there is none
     */
    TrialAnswer trial(String id, int number) {
        return TrialAnswer.of(
                record(id, number), studies.preparation(id), trials.arrivals(id, number), retries.ofTrial(id, number));
    }

    private TrialRecord record(String id, int number) {
        find(id);
        return trials.find(id, number)
                .orElseThrow(() -> new UnknownStudyException("study '" + id + "' has no trial " + number));
    }

    /**
     * What the loading processes printed during a trial; empty if they printed nothing.
     *
     * @throws UnknownStudyException if there is no such trial
     */
    String log(String id, int number) {
        record(id, number);
        return logs.find(id, number).map(ProcessLog::text).orElse("");
    }

    /**
     * Has a failed trial tried again when the machine is free. The trial and its study stay as they are.
     *
     * @throws UnknownStudyException if there is no such trial
     * @throws RetryRefusedException if that makes no sense now
     */
    void retry(String id, int number) {
        TrialRecord trial = record(id, number);
        String type = find(id).machineType();
        if (trial.failure() == null) {
            throw new RetryRefusedException(
                    Cause.NOT_FAILED,
                    "trial %d is %s; only a failed trial can be tried again"
                            .formatted(number, trial.state().name().toLowerCase(Locale.ROOT)));
        }
        if (!type.equals(machineType)) {
            throw new RetryRefusedException(
                    Cause.OTHER_MACHINE,
                    "trial %d was measured on machines of type %s, and this one is %s; post the study again"
                            .formatted(number, type, machineType));
        }
        if (!retries.add(id, number, clock.instant())) {
            throw new RetryRefusedException(
                    Cause.PENDING, "trial %d is to be tried again already; wait until that is over".formatted(number));
        }
        LogMarks.during(id, () -> {
            LogMarks.trialBegun(number);
            log.info("Trial {} of study {} is to be tried again", number, id);
        });
        measuring.somethingQueued();
    }

    /**
     * The trials so far as CSV.
     *
     * @throws UnknownStudyException if there is none
     */
    String trialsTable(String id) {
        find(id);
        Optional<Preparation> preparation = studies.preparation(id);
        return TrialsCsv.of(trials.all(id).stream()
                .map(trial -> TrialReport.of(trial, preparation))
                .toList());
    }

    /**
     * What was measured so far, as CSV for replay.
     *
     * @throws UnknownStudyException if there is none
     */
    String surface(String id) {
        return StudySurface.csv(find(id).dataset(), studies.preparation(id), trials.all(id));
    }

    /**
     * Cancels a study; completes when it has stopped. One that is cancelled already stays so.
     *
     * @throws StudyOverException if it has come to an end of its own
     */
    CompletableFuture<Void> cancel(String id) {
        CompletableFuture<Void> end = ends.of(id);
        StudyState state = find(id).state();
        if (!state.isOver()) {
            measuring.cancel(id, () -> cancelQueued(id));
        }
        StudyState now = find(id).state();
        if (now.isOver()) {
            ends.ended(id);
            requireCancelled(id, now);
        }
        return end;
    }

    /**
     * @throws StudyOverException if it is over for another reason
     */
    void requireCancelled(String id, StudyState state) {
        if (state.isOver() && state != StudyState.CANCELLED) {
            throw new StudyOverException(id, state);
        }
    }

    private void cancelQueued(String id) {
        StoredStudy study = find(id);
        if (study.state().isOver()) {
            return;
        }
        try {
            ledger.ended(
                    study, StudyState.CANCELLED, TrialFailure.of(FailureReason.CANCELLED, "the study was cancelled"));
            LogMarks.during(id, () -> log.info("Study {} was cancelled", id));
        } catch (LeaseLostException runsElsewhere) {
            studies.askToCancel(id);
            bulletin.tell(new Notice(Kind.CANCEL, id));
            LogMarks.during(id, () -> log.info("The service that runs study {} is asked to cancel it", id));
        }
    }

    /** Another service has told something: what is waited for may be over. */
    @EventListener
    void heard(Notice notice) {
        List<String> awaited = ends.awaited();
        String changed = notice.studyId();
        if (notice.kind() == Kind.CHANGED && changed != null && awaited.contains(changed)) {
            endIfOver(changed);
        } else if (notice.kind() == Kind.MISSED) {
            awaited.forEach(this::endIfOver);
        }
    }

    private void endIfOver(String id) {
        if (studies.find(id).filter(study -> study.state().isOver()).isPresent()) {
            ends.ended(id);
        }
    }

    /** Builds what a request describes and reads from it, when no trial is measured. */
    CompletableFuture<LoaderFacts> check(StudyRequest request) {
        CheckTurn turn = new CheckTurn(allowed(request), runner);
        measuring.add(turn);
        CompletableFuture.delayedExecutor(SECONDS_TO_WAIT_FOR_A_TURN, TimeUnit.SECONDS)
                .execute(turn::giveUp);
        return turn.answer();
    }
}
