package io.loadertuner.service.study;

import io.loadertuner.service.replica.Bulletin;
import io.loadertuner.service.replica.Notice;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Tells those who follow a study what happens in it, from any event on. */
@Component
class StudyEvents implements DisposableBean {
    /** Below the minute after which proxies take a silent connection for a dead one. */
    private static final long SECONDS_BETWEEN_SIGNS_OF_LIFE = 20;

    private static final int MOST_FOLLOWERS = 200;

    private final EventStore events;
    private final StudyStore studies;
    private final TrialStore trials;
    private final InstantSource clock;
    private final Bulletin bulletin;
    private final Set<Follower> followers = ConcurrentHashMap.newKeySet();
    private final ExecutorService telling = Executors.newCachedThreadPool(StudyEvents::thread);
    private final ScheduledExecutorService signs = Executors.newSingleThreadScheduledExecutor(StudyEvents::thread);
    private volatile boolean stopped;

    StudyEvents(EventStore events, StudyStore studies, TrialStore trials, InstantSource clock, Bulletin bulletin) {
        this.events = events;
        this.studies = studies;
        this.trials = trials;
        this.clock = clock;
        this.bulletin = bulletin;
        ScheduledFuture<?> unused = signs.scheduleAtFixedRate(
                () -> followers.forEach(follower -> telling.execute(() -> tell(follower::giveSignOfLife, follower))),
                SECONDS_BETWEEN_SIGNS_OF_LIFE,
                SECONDS_BETWEEN_SIGNS_OF_LIFE,
                TimeUnit.SECONDS);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "events");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Follows a study.
     *
     * @param after the id of the last event that is known; 0 for none
     * @return what to {@link #leave} with; empty if it is over and there is no event that is not known
     * @throws UnknownStudyException if there is none
     * @throws TooManyFollowersException if there are as many as can be told
     */
    Optional<Follower> follow(String studyId, long after, EventStream stream) {
        boolean over = studies.find(studyId)
                .orElseThrow(() -> new UnknownStudyException("there is no study '" + studyId + "'"))
                .state()
                .isOver();
        if (over && events.after(studyId, after, 1).isEmpty()) {
            return Optional.empty();
        }
        if (followers.size() >= MOST_FOLLOWERS) {
            throw new TooManyFollowersException(MOST_FOLLOWERS);
        }
        Follower follower = new Follower(studyId, after, stream, events, studies, trials, clock);
        followers.add(follower);
        if (stopped) {
            follower.end();
        } else {
            wake(follower);
        }
        return Optional.of(follower);
    }

    void leave(Follower follower) {
        followers.remove(follower);
    }

    /** Something was committed that happened in that study. */
    void happened(String studyId) {
        wakeFollowersOf(studyId);
        bulletin.tell(new Notice(Notice.Kind.CHANGED, studyId));
    }

    /** Another service has told something. */
    @EventListener
    void heard(Notice notice) {
        if (notice.kind() == Notice.Kind.MISSED) {
            followers.forEach(this::wake);
        } else if (notice.kind() == Notice.Kind.CHANGED && notice.studyId() != null) {
            wakeFollowersOf(notice.studyId());
        }
    }

    private void wakeFollowersOf(String studyId) {
        followers.stream()
                .filter(follower -> follower.studyId().equals(studyId))
                .forEach(this::wake);
    }

    /** One that has been woken and has not begun to look will see what is new now, too. */
    private void wake(Follower follower) {
        if (follower.isToLook()) {
            telling.execute(() -> tell(follower::catchUp, follower));
        }
    }

    /** Tells somebody something; whoever has gone, or has been told all there is, follows no more. */
    private void tell(BooleanSupplier something, Follower follower) {
        if (!something.getAsBoolean()) {
            followers.remove(follower);
        }
    }

    /** Ends every stream: whoever follows comes back to the service that starts next. */
    void stop() {
        stopped = true;
        // Whoever does not read must not hold up the end.
        followers.forEach(follower -> telling.execute(follower::end));
    }

    @Override
    public void destroy() {
        signs.shutdownNow();
        telling.shutdownNow();
    }
}
