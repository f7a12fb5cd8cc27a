package io.loadertuner.service.schedule;

import io.loadertuner.service.recommendation.Incumbents;
import io.loadertuner.service.runner.Runner;
import io.loadertuner.service.study.StudyQueue;
import io.loadertuner.service.study.Turn;
import io.loadertuner.service.study.TurnSource;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/** Makes the turns of runs that are due: what all of them need. */
@Component
class CanaryTurns implements TurnSource {
    private final ScheduleStore schedules;
    private final ScheduleRunStore runs;
    private final Incumbents incumbents;
    private final StudyQueue studies;
    private final ScheduleMeters meters;
    private final Runner runner;
    private final InstantSource clock;
    private final TransactionOperations transaction;

    CanaryTurns(
            ScheduleStore schedules,
            ScheduleRunStore runs,
            Incumbents incumbents,
            StudyQueue studies,
            ScheduleMeters meters,
            Runner runner,
            InstantSource clock,
            TransactionOperations transaction) {
        this.schedules = schedules;
        this.runs = runs;
        this.incumbents = incumbents;
        this.studies = studies;
        this.meters = meters;
        this.runner = runner;
        this.clock = clock;
        this.transaction = transaction;
    }

    @Override
    public Optional<Turn> next(String machineType) {
        for (Optional<ScheduleRun> run = runs.next(machineType); run.isPresent(); run = runs.next(machineType)) {
            if (runs.claim(run.get())) {
                return Optional.of(new CanaryTurn(run.get(), this));
            }
        }
        return Optional.empty();
    }

    ScheduleStore schedules() {
        return schedules;
    }

    ScheduleRunStore runs() {
        return runs;
    }

    Incumbents incumbents() {
        return incumbents;
    }

    StudyQueue studies() {
        return studies;
    }

    ScheduleMeters meters() {
        return meters;
    }

    TransactionOperations transaction() {
        return transaction;
    }

    Runner runner() {
        return runner;
    }

    Instant now() {
        return clock.instant();
    }
}
