package io.loadertuner.service.schedule;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.measure.Movement;
import io.loadertuner.core.measure.Visit;
import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.tuning.Canary;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.service.recommendation.Incumbent;
import io.loadertuner.service.replica.LeaseLostException;
import io.loadertuner.service.runner.Occasion;
import io.loadertuner.service.study.InterruptShield;
import io.loadertuner.service.study.StudyQueue;
import io.loadertuner.service.study.Turn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run of a schedule: a short look at the config in use and the baseline, and a study only where the look gives a reason. The
 * study has what is recommended for its baseline, so that it is left only for something better beyond noise.
 */
final class CanaryTurn implements Turn {
    private static final Logger log = LoggerFactory.getLogger(CanaryTurn.class);

    /** A look under which the service died this often is not begun again. */
    private static final int DEATHS_THAT_END_IT = 2;

    private final ScheduleRun run;
    private final CanaryTurns with;
    private volatile boolean suspended;

    CanaryTurn(ScheduleRun run, CanaryTurns with) {
        this.run = run;
        this.with = with;
    }

    @Override
    public void suspend() {
        suspended = true;
    }

    @Override
    public void take(InterruptShield shield) {
        Optional<Schedule> schedule = shield.call(() -> with.schedules().find(run.scheduleId()));
        if (schedule.isEmpty()) {
            return;
        }
        try {
            Finding finding = run.openAttempts() < DEATHS_THAT_END_IT ? look(schedule.get(), shield) : died();
            shield.run(() -> end(schedule.get(), finding));
        } catch (LeaseLostException taken) {
            log.warn(
                    "What was due for {} is left to another service",
                    schedule.get().dataset());
        } catch (InterruptedException stopped) {
            handBack(schedule.get(), shield);
        } catch (IOException | RuntimeException | Error unexpected) {
            if (suspended) {
                handBack(schedule.get(), shield);
                return;
            }
            log.error(
                    "The canary of {} failed for a reason that lies in the service",
                    schedule.get().dataset(),
                    unexpected);
            shield.run(() -> end(
                    schedule.get(),
                    new Finding(
                            Outcome.FAILED,
                            RunReport.of("The service failed: unexpected "
                                    + unexpected.getClass().getSimpleName() + "."),
                            null)));
        }
    }

    private static Finding died() {
        String text = "The service was killed %d times while it looked.".formatted(DEATHS_THAT_END_IT);
        return new Finding(Outcome.FAILED, RunReport.of(text), null);
    }

    private void handBack(Schedule schedule, InterruptShield shield) {
        shield.run(() -> with.runs().handBack(run));
        log.info(
                "The canary of {} stops here and begins again elsewhere, or when the service does", schedule.dataset());
    }

    private Finding look(Schedule schedule, InterruptShield shield) throws IOException, InterruptedException {
        DatasetDescriptor descriptor = schedule.request().descriptor();
        Optional<Incumbent> known = shield.call(() -> with.incumbents().of(descriptor, schedule.machineType()));
        if (known.isEmpty()) {
            return new Finding(Outcome.FIRST, RunReport.of("Nothing is recommended yet."), null);
        }
        Incumbent incumbent = known.get();
        if (incumbent.isOfAnother(descriptor)) {
            String text = "What is recommended was measured for another descriptor of this name.";
            return new Finding(Outcome.CHANGED, new RunReport(text, null, null, List.of(text), null), incumbent);
        }
        try {
            Canary canary = measured(schedule, incumbent);
            if (suspended) {
                // What an interrupt broke off may look like a failure of the loader.
                throw new InterruptedException("the service stops");
            }
            return shield.call(() -> judged(incumbent, canary));
        } catch (TrialFailedException unusable) {
            if (suspended) {
                throw new InterruptedException("the service stops");
            }
            TrialFailure failure = unusable.failure();
            return new Finding(
                    Outcome.FAILED,
                    new RunReport("The dataset cannot be loaded: " + failure.message(), null, null, List.of(), failure),
                    incumbent);
        }
    }

    private Canary measured(Schedule schedule, Incumbent incumbent)
            throws IOException, InterruptedException, TrialFailedException {
        return with.runner()
                .canary(
                        schedule.id(),
                        schedule.request(),
                        incumbent.config(),
                        incumbent.baselineConfig(),
                        schedule.canarySeconds(),
                        new Look(schedule.dataset()))
                .orElseThrow();
    }

    private record Look(String dataset) implements Occasion {
        @Override
        public String purpose() {
            return "canary of " + dataset;
        }

        @Override
        public void waitsFor(String holder) {
            log.info("The canary of {} waits for {}", dataset, holder);
        }
    }

    private Finding judged(Incumbent incumbent, Canary canary) {
        List<String> changes = incumbent.facts() == null ? List.of() : canary.changesSince(incumbent.facts());
        Visit now = canary.visit().orElse(null);
        if (now == null) {
            TrialFailure failure = Objects.requireNonNull(canary.failure());
            String text = "What is recommended (%s) fails now: %s"
                    .formatted(incumbent.config().describe(), failure.message());
            return new Finding(Outcome.DRIFTED, new RunReport(text, null, null, changes, failure), incumbent);
        }
        if (!changes.isEmpty()) {
            String text = "Not what was measured: " + String.join("; ", changes) + ".";
            return new Finding(Outcome.CHANGED, new RunReport(text, now, null, changes, null), incumbent);
        }
        if (canary.isDisturbed()) {
            String text = "Other processes used the processor in %d of %d rounds: nothing can be said."
                    .formatted(canary.busyRounds(), canary.rounds());
            return new Finding(Outcome.DISTURBED, new RunReport(text, now, null, changes, null), incumbent);
        }
        List<Visit> earlier = new ArrayList<>(with.runs().visits(incumbent.id()));
        earlier.add(incumbent.visit());
        Movement movement = Movement.of(earlier, now);
        return movement.goesBeyondNoise()
                ? new Finding(
                        Outcome.DRIFTED,
                        new RunReport(CanaryWords.moved(incumbent.config(), movement), now, movement, changes, null),
                        incumbent)
                : new Finding(
                        Outcome.QUIET,
                        new RunReport(CanaryWords.still(movement), now, movement, changes, null),
                        incumbent);
    }

    /** The study is queued once for each run, so that dying in between queues no second one. */
    private void end(Schedule schedule, Finding found) {
        Finding finding = found;
        String study = null;
        if (finding.asksForAStudy()) {
            try {
                study = queued(schedule, finding).id();
            } catch (InvalidFieldException refused) {
                finding = new Finding(
                        Outcome.FAILED,
                        RunReport.of("No study can follow: " + refused.getMessage()),
                        finding.incumbent());
            }
        }
        store(finding, study);
        with.meters().ended(finding.outcome());
        log.info("The canary of {}: {}", schedule.dataset(), finding.report().text());
    }

    private StudyQueue.Queued queued(Schedule schedule, Finding finding) {
        Incumbent incumbent = finding.incumbent();
        StudyRequest request =
                incumbent == null ? schedule.request() : schedule.request().withBaseline(incumbent.config());
        return with.studies()
                .queueScheduled(
                        request,
                        "schedule " + schedule.id() + " " + run.dueAt(),
                        finding.outcome() == Outcome.FIRST ? null : finding.report());
    }

    private void store(Finding finding, @Nullable String study) {
        Incumbent incumbent = finding.incumbent();
        with.transaction().executeWithoutResult(status -> {
            with.runs()
                    .end(
                            run,
                            finding.outcome(),
                            finding.report(),
                            incumbent == null ? null : incumbent.id(),
                            study,
                            with.now());
            if (incumbent != null && finding.outcome() == Outcome.QUIET) {
                with.incumbents().confirmed(incumbent, with.now());
            } else if (incumbent != null && finding.asksForAStudy()) {
                with.incumbents().drifted(incumbent, with.now());
            }
        });
    }
}
