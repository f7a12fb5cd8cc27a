package io.loadertuner.service.study;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.machine.MachineLock;
import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.core.tuning.TuningListener;
import java.io.IOException;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A study's turn: runs it to its end, or goes on with one that was cut off. */
final class StudyTurn implements Turn {
    private static final Logger log = LoggerFactory.getLogger(StudyTurn.class);

    private final StoredStudy study;
    private final StudyTurns with;
    private volatile boolean cancelled;
    private volatile boolean suspended;

    StudyTurn(StoredStudy study, StudyTurns with) {
        this.study = study;
        this.with = with;
    }

    String studyId() {
        return study.id();
    }

    /** Says what the interrupt that follows is meant for. */
    void cancel() {
        cancelled = true;
    }

    @Override
    public void suspend() {
        suspended = true;
    }

    @Override
    public void take(InterruptShield shield) {
        LogMarks.during(study.id(), () -> takeMarked(shield));
    }

    private void takeMarked(InterruptShield shield) {
        try {
            run(shield);
        } catch (InterruptedException interrupted) {
            interrupted(shield);
        } catch (InvalidFieldException refused) {
            end(shield, StudyState.FAILED, TrialFailure.of(FailureReason.INVALID_CONFIG, text(refused)));
        } catch (IOException | RuntimeException | Error unexpected) {
            if (cancelled || suspended) {
                interrupted(shield);
            } else {
                log.error("Study {} failed for a reason that lies in the service", study.id(), unexpected);
                end(shield, StudyState.FAILED, runnerError(unexpected));
            }
        }
        with.ends().ended(study.id());
    }

    private void run(InterruptShield shield) throws IOException, InterruptedException {
        StudyRequest request = with.admission().admit(study.request());
        shield.run(() -> with.studies().rest(study.id()));
        MachineLock lock = MachineLock.acquire(
                with.measuringLock(),
                "study " + study.dataset(),
                holder -> log.info("Study {} waits for {}", study.id(), holder.description()));
        try {
            if (!shield.call(() -> with.studies().begin(study.id(), with.now()))) {
                return;
            }
            log.info(
                    "Study {} of {} {}",
                    study.id(),
                    study.dataset(),
                    study.state() == StudyState.RUNNING ? "goes on" : "begins");
            StudyReport report =
                    with.tuner(shield).run(study.id(), request, with.journal(study.id(), shield), TuningListener.NONE);
            log.info(
                    "Study {} {} after {} trials and {} s",
                    study.id(),
                    report.state().name().toLowerCase(Locale.ROOT),
                    report.progress().trials(),
                    Math.round(report.progress().secondsUsed()));
        } finally {
            lock.close();
        }
    }

    private void interrupted(InterruptShield shield) {
        if (cancelled) {
            end(shield, StudyState.CANCELLED, TrialFailure.of(FailureReason.CANCELLED, "the study was cancelled"));
            log.info("Study {} was cancelled", study.id());
        } else {
            shield.run(() -> with.studies().rest(study.id()));
            log.info("Study {} stops here and goes on when the service starts again", study.id());
        }
    }

    private void end(InterruptShield shield, StudyState state, TrialFailure why) {
        shield.run(() -> with.studies()
                .find(study.id())
                .filter(newest -> !newest.state().isOver())
                .ifPresent(newest -> with.ledger().ended(newest, state, why)));
    }

    private static TrialFailure runnerError(Throwable unexpected) {
        return TrialFailure.of(
                FailureReason.RUNNER_ERROR,
                "unexpected " + unexpected.getClass().getSimpleName() + ": " + text(unexpected));
    }

    private static String text(Throwable thrown) {
        return String.valueOf(thrown.getMessage());
    }
}
