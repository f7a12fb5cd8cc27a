package io.loadertuner.service.study;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.ProcessLog;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.study.Phase;
import io.loadertuner.core.tuning.Attempt;
import io.loadertuner.core.tuning.FailureRecord;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.TrialRecord;
import io.loadertuner.service.replica.LeaseLostException;
import io.loadertuner.service.runner.Occasion;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A retry's turn: measures one config that failed, and leaves its study as it is. */
final class RetryTurn implements Turn {
    private static final Logger log = LoggerFactory.getLogger(RetryTurn.class);

    /** A retry under which the service died this often is not begun again. */
    private static final int DEATHS_THAT_END_IT = 2;

    private final Retry retry;
    private final StudyTurns with;
    private boolean begun;
    private volatile boolean suspended;

    RetryTurn(Retry retry, StudyTurns with) {
        this.retry = retry;
        this.with = with;
    }

    @Override
    public void suspend() {
        suspended = true;
    }

    @Override
    public void take(InterruptShield shield) {
        LogMarks.during(retry.studyId(), () -> {
            LogMarks.trialBegun(retry.trial());
            takeMarked(shield);
        });
    }

    private void takeMarked(InterruptShield shield) {
        try {
            runOrEnd(shield);
        } catch (LeaseLostException taken) {
            log.warn("The retry of {} stops here: another service goes on with it", name());
        }
    }

    private void runOrEnd(InterruptShield shield) {
        if (retry.openAttempts() >= DEATHS_THAT_END_IT) {
            fail(
                    shield,
                    FailureReason.PROBE_LOST,
                    "the service was killed %d times while this config was tried again".formatted(DEATHS_THAT_END_IT));
            return;
        }
        try {
            run(shield);
        } catch (InterruptedException stopped) {
            stopped(shield);
        } catch (InvalidFieldException refused) {
            fail(shield, FailureReason.INVALID_CONFIG, String.valueOf(refused.getMessage()));
        } catch (LeaseLostException taken) {
            throw taken;
        } catch (IOException | RuntimeException | Error unexpected) {
            if (suspended) {
                stopped(shield);
                return;
            }
            log.error("The retry of {} failed for a reason that lies in the service", name(), unexpected);
            fail(
                    shield,
                    FailureReason.RUNNER_ERROR,
                    "unexpected " + unexpected.getClass().getSimpleName() + ": " + unexpected.getMessage());
        }
    }

    private void stopped(InterruptShield shield) {
        if (begun) {
            shield.run(() -> with.retries().suspend(retry));
        }
        shield.run(() -> with.retries().handBack(retry));
        log.info("The retry of {} stops here and begins again elsewhere, or when the service does", name());
    }

    private void run(InterruptShield shield) throws IOException, InterruptedException {
        StoredStudy study =
                shield.call(() -> with.studies().find(retry.studyId())).orElseThrow();
        TrialRecord trial = shield.call(() -> with.trials().find(retry.studyId(), retry.trial()))
                .orElseThrow();
        StudyRequest request = with.admission().admit(study.request());
        Attempt attempt = with.runner()
                .attempt(study.id(), request, trial.config(), new Beginning(study.dataset(), shield))
                .orElseThrow(() -> new LeaseLostException("the retry of " + name() + " is another service's"));
        if (suspended && attempt.failure() != null) {
            // What an interrupt broke off may look like a failure of the loader.
            throw new InterruptedException("the service stops");
        }
        shield.run(() -> end(attempt));
    }

    /** The retry counts as begun once the machine is free. */
    private final class Beginning implements Occasion {
        private final String dataset;
        private final InterruptShield shield;

        Beginning(String dataset, InterruptShield shield) {
            this.dataset = dataset;
            this.shield = shield;
        }

        @Override
        public String purpose() {
            return "retry of " + dataset;
        }

        @Override
        public void waitsFor(String holder) {
            log.info("The retry of {} waits for {}", name(), holder);
        }

        @Override
        public boolean begins() {
            begun = shield.call(() -> with.retries().begin(retry));
            return begun;
        }
    }

    private void end(Attempt attempt) {
        FailureRecord failure = attempt.failure();
        String outcome = failure == null ? "" : ": " + failure.failure().message();
        with.transaction().executeWithoutResult(status -> {
            with.retries().requireHeld(retry);
            with.logs()
                    .append(
                            retry.studyId(),
                            retry.trial(),
                            ProcessLog.of("\n[tried again" + outcome + "]\n").then(attempt.log()));
            with.retries().end(retry, attempt.rounds(), failure, with.now());
        });
        log.info(
                "The retry of {} {}",
                name(),
                failure == null
                        ? "worked"
                        : "failed: " + failure.failure().reason().code());
    }

    private void fail(InterruptShield shield, FailureReason reason, String message) {
        FailureRecord failure = new FailureRecord(Phase.SEARCH, 1, TrialFailure.of(reason, message), 0, 0);
        shield.run(() -> with.transaction().executeWithoutResult(status -> {
            with.retries().requireHeld(retry);
            with.retries().end(retry, List.of(), failure, with.now());
        }));
    }

    private String name() {
        return "trial " + retry.trial() + " of study " + retry.studyId();
    }
}
