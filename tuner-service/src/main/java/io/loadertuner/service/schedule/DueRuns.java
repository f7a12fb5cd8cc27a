package io.loadertuner.service.schedule;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.FailureHandler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.loadertuner.service.replica.Bulletin;
import io.loadertuner.service.replica.Notice;
import io.loadertuner.service.replica.Replica;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Has schedules run when they are due: db-scheduler, in whose table each enabled schedule has one row with its next time. Of
 * several services on one database one takes it; a time that passed while none ran is caught up once.
 */
@Component
class DueRuns implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(DueRuns.class);
    private static final String TASK = "tune-again";
    private static final Duration POLLING = Duration.ofSeconds(5);
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(5);
    private static final int SIGNS_MISSED_BY_THE_DEAD = 4;
    private static final Duration AFTER_TROUBLE = Duration.ofMinutes(1);
    private static final int PHASE = 1;

    private final ScheduleStore schedules;
    private final ScheduleRunStore runs;
    private final TransactionOperations transaction;
    private final ApplicationEventPublisher events;
    private final Bulletin bulletin;
    private final InstantSource clock;
    private final boolean serves;
    private final CustomTask<Void> task;
    private final Scheduler scheduler;
    private volatile boolean running;

    DueRuns(
            ScheduleStore schedules,
            ScheduleRunStore runs,
            TransactionOperations transaction,
            ApplicationEventPublisher events,
            Bulletin bulletin,
            InstantSource clock,
            Replica self,
            TaskStore tasks,
            ApplicationContext context) {
        this.schedules = schedules;
        this.runs = runs;
        this.transaction = transaction;
        this.events = events;
        this.bulletin = bulletin;
        this.clock = clock;
        this.serves = context instanceof WebServerApplicationContext;
        this.task = Tasks.custom(TASK, Void.class)
                .onFailure(new FailureHandler.OnFailureRetryLater<>(AFTER_TROUBLE))
                .onDeadExecutionRevive()
                .execute((instance, execution) -> {
                    due(instance.getId(), execution.getExecution().executionTime);
                    return again(instance.getId());
                });
        this.scheduler = Scheduler.create(tasks.inTransaction(), task)
                .threads(1)
                .pollingInterval(POLLING)
                .heartbeatInterval(SIGN_OF_LIFE)
                .missedHeartbeatsLimit(SIGNS_MISSED_BY_THE_DEAD)
                .schedulerName(new SchedulerName.Fixed(self.id()))
                .clock(clock::instant)
                .build();
    }

    /** The next time of a schedule that was made or changed; to be called in the transaction that does. */
    void set(Schedule schedule) {
        TaskInstance<Void> instance = task.instance(schedule.id());
        if (!schedule.enabled()) {
            forget(schedule.id());
            return;
        }
        Instant next = schedule.timetable().next(schedule.id(), clock.instant());
        if (!scheduler.scheduleIfNotExists(instance, next)) {
            scheduler.reschedule(instance, next);
        }
    }

    /** The schedule is due no more. */
    void forget(String id) {
        TaskInstance<Void> instance = task.instance(id);
        if (scheduler.getScheduledExecution(instance).isPresent()) {
            scheduler.cancel(instance);
        }
    }

    /** When a schedule is due next; empty where it is not. */
    Optional<Instant> next(String id) {
        return scheduler.getScheduledExecution(task.instance(id)).map(execution -> execution.getExecutionTime());
    }

    /** Looks now what is due. */
    void look() {
        scheduler.triggerCheckForDueExecutions();
    }

    /** Queues a run; the same time queues it once, however often it is tried. */
    boolean due(String id, Instant at) {
        Boolean queued = transaction.execute(
                status -> schedules.hold(id).filter(Schedule::enabled).isPresent() && runs.add(id, at));
        if (Boolean.TRUE.equals(queued)) {
            Notice notice = new Notice(Notice.Kind.QUEUED, null);
            events.publishEvent(notice);
            bulletin.tell(notice);
            return true;
        }
        log.info(
                "What was due of schedule {} at {} is left out: it is switched off, or its last run is not over",
                id,
                at);
        return false;
    }

    private CompletionHandler<Void> again(String id) {
        return (done, operations) -> schedules
                .find(id)
                .filter(Schedule::enabled)
                .ifPresentOrElse(
                        schedule ->
                                operations.reschedule(done, schedule.timetable().next(id, clock.instant())),
                        operations::remove);
    }

    @Override
    public boolean isAutoStartup() {
        return serves;
    }

    @Override
    public void start() {
        scheduler.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        scheduler.stop();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Stops after what measures: its threads are interrupted then, and H2 closes its file under one that reads or writes. */
    @Override
    public int getPhase() {
        return PHASE;
    }
}
