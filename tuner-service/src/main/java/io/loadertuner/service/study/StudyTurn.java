package io.loadertuner.service.study;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.service.replica.LeaseLostException;
import io.loadertuner.service.runner.Occasion;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.CannotCreateTransactionException;

/** A study's turn: runs it to its end, or goes on with one that was cut off. */
final class StudyTurn implements Turn {
    private static final Logger log = LoggerFactory.getLogger(StudyTurn.class);

    private final StoredStudy study;
    private final StudyTurns with;
    private volatile boolean cancelled;
    private volatile boolean suspended;
    private volatile boolean displaced;

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

    /** Says that the interrupt that follows means: another service runs the study. */
    void displace() {
        displaced = true;
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
            runOrEnd(shield);
        } catch (LeaseLostException taken) {
            log.warn("Study {} stops here: another service goes on with it", study.id());
            return;
        }
        with.ends().ended(study.id());
    }

    private void runOrEnd(InterruptShield shield) {
        try {
            run(shield);
        } catch (InterruptedException interrupted) {
            interrupted(shield);
        } catch (InvalidFieldException refused) {
            end(shield, StudyState.FAILED, TrialFailure.of(FailureReason.INVALID_CONFIG, text(refused)));
        } catch (LeaseLostException taken) {
            throw taken;
        } catch (DataAccessResourceFailureException | CannotCreateTransactionException unreachable) {
            // What was measured is stored: the study goes on when the database is there again.
            throw unreachable;
        } catch (IOException | RuntimeException | Error unexpected) {
            if (cancelled || suspended || displaced) {
                interrupted(shield);
            } else {
                log.error("Study {} failed for a reason that lies in the service", study.id(), unexpected);
                end(shield, StudyState.FAILED, runnerError(unexpected));
            }
        }
    }

    private void run(InterruptShield shield) throws IOException, InterruptedException {
        if (shield.call(() -> with.studies().isCancelAsked(study.id()))) {
            cancel();
            throw new InterruptedException("another service was asked to cancel it");
        }
        StudyRequest request = with.admission().admit(study.request());
        shield.run(() -> with.studies().rest(study.id()));
        Optional<StudyReport> report = with.runner()
                .study(
                        study.id(),
                        request,
                        with.journal(study.id(), shield),
                        with.earlier(shield),
                        new Beginning(shield));
        report.ifPresent(last -> log.info(
                "Study {} {} after {} trials and {} s",
                study.id(),
                last.state().name().toLowerCase(Locale.ROOT),
                last.progress().trials(),
                Math.round(last.progress().secondsUsed())));
    }

    /** The study's time goes on once the machine is free. */
    private final class Beginning implements Occasion {
        private final InterruptShield shield;

        Beginning(InterruptShield shield) {
            this.shield = shield;
        }

        @Override
        public String purpose() {
            return "study " + study.dataset();
        }

        @Override
        public void waitsFor(String holder) {
            log.info("Study {} waits for {}", study.id(), holder);
        }

        @Override
        public boolean begins() {
            boolean begun = shield.call(() -> with.studies().begin(study.id(), with.now()));
            if (begun) {
                log.info(
                        "Study {} of {} {}",
                        study.id(),
                        study.dataset(),
                        study.state() == StudyState.RUNNING ? "goes on" : "begins");
            }
            return begun;
        }
    }

    private void interrupted(InterruptShield shield) {
        if (cancelled) {
            end(shield, StudyState.CANCELLED, TrialFailure.of(FailureReason.CANCELLED, "the study was cancelled"));
            log.info("Study {} was cancelled", study.id());
        } else if (displaced) {
            throw new LeaseLostException("study " + study.id() + " is another service's");
        } else {
            shield.run(() -> with.studies().handBack(study.id()));
            log.info("Study {} stops here and goes on elsewhere, or when the service starts again", study.id());
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
