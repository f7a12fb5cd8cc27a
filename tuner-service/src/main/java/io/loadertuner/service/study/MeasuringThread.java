package io.loadertuner.service.study;

import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.service.replica.Bulletin;
import io.loadertuner.service.replica.LeaseRenewed;
import io.loadertuner.service.replica.Notice;
import io.loadertuner.service.runner.Runner;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * The one thread that measures: studies in the order of posting, checks of descriptors and retries of trials before the next
 * study. The queue of studies and retries is the database, where several services take from it; this thread is told when there is
 * something new in it. Starts after the web server and stops
 * before it, so that nobody is still waiting for a study when the server waits for its calls to end. Without one, as where a
 * command uses the database, nothing is measured.
 */
@Component
class MeasuringThread implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(MeasuringThread.class);
    private static final long SECONDS_AFTER_TROUBLE = 10;
    private static final long MILLISECONDS_TO_STOP = 12_000;

    private final StudyStore studies;
    private final RetryStore retries;
    private final ObjectProvider<TurnSource> shortTurns;
    private final StudyTurns turns;
    private final StudyEnds ends;
    private final StudyEvents followers;
    private final Bulletin bulletin;
    private final String machineType;
    private final boolean serves;

    private final InterruptShield shield = new InterruptShield();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Turn> checks = new ArrayDeque<>();
    private @Nullable Turn current;
    private @Nullable Thread thread;
    private boolean stopping;

    MeasuringThread(
            StudyStore studies,
            RetryStore retries,
            ObjectProvider<TurnSource> shortTurns,
            StudyTurns turns,
            StudyEnds ends,
            StudyEvents followers,
            Bulletin bulletin,
            Runner runner,
            ApplicationContext context) {
        this.studies = studies;
        this.retries = retries;
        this.shortTurns = shortTurns;
        this.turns = turns;
        this.ends = ends;
        this.followers = followers;
        this.bulletin = bulletin;
        this.machineType = runner.machineType();
        this.serves = context instanceof WebServerApplicationContext;
    }

    /** A study or a retry has been queued, or handed back: whoever runs nothing may take it. */
    void somethingQueued() {
        look();
        bulletin.tell(new Notice(Notice.Kind.QUEUED, null));
    }

    private void look() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Runs before the next study; is never run if the service stops before. */
    void add(Turn check) {
        lock.lock();
        try {
            checks.add(check);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Cancels a study if it is its turn.
     *
     * @param otherwise what to do where it is not, before it can become so
     */
    void cancel(String studyId, Runnable otherwise) {
        lock.lock();
        try {
            if (!interrupt(studyId, StudyTurn::cancel)) {
                otherwise.run();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Another service has told something. */
    @EventListener
    void heard(Notice notice) {
        switch (notice.kind()) {
            case QUEUED -> look();
            case CANCEL, MISSED -> heed();
            case CHANGED -> {}
        }
    }

    /** What another service left behind may be taken now, and what this one runs may have been. */
    @EventListener(LeaseRenewed.class)
    void heed() {
        look();
        runningStudy().ifPresent(id -> {
            if (!studies.isHeld(id)) {
                interrupt(id, StudyTurn::displace);
            } else if (studies.isCancelAsked(id)) {
                interrupt(id, StudyTurn::cancel);
            }
        });
    }

    private Optional<String> runningStudy() {
        lock.lock();
        try {
            return current instanceof StudyTurn turn ? Optional.of(turn.studyId()) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts a study if it is its turn; false if it is not. */
    private boolean interrupt(String studyId, Consumer<StudyTurn> why) {
        lock.lock();
        try {
            Thread measuring = thread;
            if (measuring != null
                    && current instanceof StudyTurn turn
                    && turn.studyId().equals(studyId)) {
                why.accept(turn);
                shield.interrupt(measuring);
                return true;
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isAutoStartup() {
        return serves;
    }

    @Override
    public void start() {
        lock.lock();
        try {
            stopping = false;
            Thread measuring = new Thread(this::run, "measuring");
            thread = measuring;
            measuring.start();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stop() {
        Thread measuring;
        lock.lock();
        try {
            stopping = true;
            changed.signalAll();
            measuring = thread;
            if (measuring != null && current != null) {
                current.suspend();
                shield.interrupt(measuring);
            }
        } finally {
            lock.unlock();
        }
        try {
            if (measuring != null) {
                measuring.join(MILLISECONDS_TO_STOP);
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        bulletin.tell(new Notice(Notice.Kind.QUEUED, null));
        checks.forEach(Turn::drop);
        ends.stop();
        followers.stop();
        lock.lock();
        try {
            thread = null;
        } finally {
            lock.unlock();
        }
    }

    /** Whether something is being measured. */
    boolean isBusy() {
        lock.lock();
        try {
            return current != null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isRunning() {
        lock.lock();
        try {
            return thread != null;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (true) {
            try {
                Optional<Turn> turn = next();
                if (turn.isEmpty()) {
                    return;
                }
                try {
                    turn.get().take(shield);
                } finally {
                    finished();
                }
            } catch (RuntimeException | Error trouble) {
                log.error("The queue of studies is in trouble; it goes on in {} s", SECONDS_AFTER_TROUBLE, trouble);
                pause();
            }
        }
    }

    /** Waits for the next turn; empty when the service stops. */
    private Optional<Turn> next() {
        lock.lock();
        try {
            while (!stopping) {
                Turn turn = checks.poll();
                if (turn == null) {
                    turn = queued().orElse(null);
                }
                if (turn != null) {
                    current = turn;
                    return Optional.of(turn);
                }
                changed.awaitUninterruptibly();
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** A study that was cut off first; what is short before the studies that have not begun. */
    private Optional<Turn> queued() {
        while (true) {
            Optional<StoredStudy> study = studies.next(machineType);
            boolean cutOff = study.isPresent() && study.get().state() == StudyState.RUNNING;
            Optional<Turn> brief = cutOff ? Optional.empty() : shortTurn();
            if (brief.isPresent()) {
                return brief;
            }
            if (study.isEmpty() || studies.claim(study.get().id())) {
                return study.map(turns::of);
            }
        }
    }

    private Optional<Turn> shortTurn() {
        for (Optional<Retry> retry = retries.next(machineType); retry.isPresent(); retry = retries.next(machineType)) {
            if (retries.claim(retry.get())) {
                return retry.map(turns::of);
            }
        }
        return shortTurns.stream()
                .map(source -> source.next(machineType))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private void finished() {
        lock.lock();
        try {
            current = null;
            // An interrupt was meant for the turn that is over.
            Thread.interrupted();
        } finally {
            lock.unlock();
        }
    }

    private void pause() {
        lock.lock();
        try {
            long left = TimeUnit.SECONDS.toNanos(SECONDS_AFTER_TROUBLE);
            while (!stopping && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException nobodyInterruptsHere) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
