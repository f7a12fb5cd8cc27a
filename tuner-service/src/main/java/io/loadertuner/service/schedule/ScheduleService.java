package io.loadertuner.service.schedule;

import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.service.study.StudyQueue;
import io.loadertuner.service.web.Page;
import io.loadertuner.service.web.PageRequest;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/** What can be done with schedules. */
@Service
public class ScheduleService {
    private static final Logger log = LoggerFactory.getLogger(ScheduleService.class);

    private final ScheduleStore schedules;
    private final ScheduleRunStore runs;
    private final DueRuns due;
    private final StudyQueue studies;
    private final TransactionOperations transaction;
    private final InstantSource clock;

    ScheduleService(
            ScheduleStore schedules,
            ScheduleRunStore runs,
            DueRuns due,
            StudyQueue studies,
            TransactionOperations transaction,
            InstantSource clock) {
        this.schedules = schedules;
        this.runs = runs;
        this.due = due;
        this.studies = studies;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** @throws ScheduleExistsException if there is one of the same dataset, loader, machine type and ranks */
    ScheduleAnswer add(ScheduleRequest asked) {
        ScheduleRequest admitted = admitted(asked);
        String id = UUID.randomUUID().toString();
        try {
            transaction.executeWithoutResult(status -> {
                schedules.add(id, admitted, clock.instant());
                due.set(schedules.find(id).orElseThrow());
            });
        } catch (DuplicateKeyException there) {
            throw exists(admitted.study());
        }
        log.info("{} is to be tuned again: {} {}", admitted.study().name(), admitted.cron(), admitted.timeZone());
        return find(id);
    }

    /**
     * @throws UnknownScheduleException if there is none
     * @throws ScheduleExistsException if there is another of the same dataset, loader, machine type and ranks
     */
    ScheduleAnswer change(String id, ScheduleRequest asked) {
        stored(id);
        ScheduleRequest admitted = admitted(asked);
        try {
            transaction.executeWithoutResult(status -> {
                if (!schedules.change(id, admitted, clock.instant())) {
                    throw new UnknownScheduleException(id);
                }
                due.set(schedules.find(id).orElseThrow());
            });
        } catch (DuplicateKeyException there) {
            throw exists(admitted.study());
        }
        log.info("{} is to be tuned again: {} {}", admitted.study().name(), admitted.cron(), admitted.timeZone());
        return find(id);
    }

    private ScheduleRequest admitted(ScheduleRequest asked) {
        try {
            return asked.with(studies.admitted(asked.study()));
        } catch (InvalidFieldException refused) {
            throw refused.inside("study");
        }
    }

    private static ScheduleExistsException exists(StudyRequest study) {
        return new ScheduleExistsException(
                "there is a schedule of '%s' with the loader %s, %d ranks on machine type '%s'"
                        .formatted(
                                study.name(),
                                study.descriptor().loader(),
                                study.descriptor().ranks(),
                                study.machineType()));
    }

    /** @throws UnknownScheduleException if there is none */
    void delete(String id) {
        transaction.executeWithoutResult(status -> {
            due.forget(id);
            if (!schedules.delete(id)) {
                throw new UnknownScheduleException(id);
            }
        });
    }

    /**
     * Has it run now, besides its own times.
     *
     * @throws UnknownScheduleException if there is none
     * @throws ScheduleBusyException if it is switched off, or its last run is not over
     */
    ScheduleAnswer run(String id) {
        stored(id);
        if (!due.due(id, clock.instant().truncatedTo(ChronoUnit.MILLIS))) {
            throw new ScheduleBusyException("schedule '" + id + "' is switched off, or its last run is not over");
        }
        return find(id);
    }

    /** @throws UnknownScheduleException if there is none */
    public ScheduleAnswer find(String id) {
        return answer(stored(id));
    }

    private Schedule stored(String id) {
        return schedules.find(id).orElseThrow(() -> new UnknownScheduleException(id));
    }

    public Page<ScheduleAnswer> list(PageRequest page) {
        return Page.of(schedules.list(page.cursor(), page.limit() + 1), page.limit(), Schedule::made, this::answer);
    }

    /** @throws UnknownScheduleException if there is none */
    public Page<RunAnswer> runs(String id, PageRequest page) {
        stored(id);
        return Page.of(runs.of(id, page.cursor(), page.limit() + 1), page.limit(), ScheduleRun::run, RunAnswer::of);
    }

    private ScheduleAnswer answer(Schedule schedule) {
        Optional<ScheduleRun> last = runs.of(schedule.id(), null, 1).stream().findFirst();
        return ScheduleAnswer.of(schedule, due.next(schedule.id()).orElse(null), last.orElse(null));
    }
}
