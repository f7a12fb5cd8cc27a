package io.loadertuner.service.study;

import io.loadertuner.core.tuning.TrialReport;
import io.loadertuner.service.store.JsonText;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Somebody who follows a study, and how far they know it. */
final class Follower {
    private static final Logger log = LoggerFactory.getLogger(Follower.class);
    private static final int AT_A_TIME = 100;

    private final String studyId;
    private final EventStore events;
    private final StudyStore studies;
    private final TrialStore trials;
    private final EventStream stream;
    private final InstantSource clock;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final ReentrantLock sending = new ReentrantLock();
    private long known;

    Follower(
            String studyId,
            long known,
            EventStream stream,
            EventStore events,
            StudyStore studies,
            TrialStore trials,
            InstantSource clock) {
        this.studyId = studyId;
        this.known = known;
        this.stream = stream;
        this.events = events;
        this.studies = studies;
        this.trials = trials;
        this.clock = clock;
    }

    String studyId() {
        return studyId;
    }

    void end() {
        stream.end();
    }

    /** Whether it is to be told to look what is new; not again before it has begun to. */
    boolean isToLook() {
        return woken.compareAndSet(false, true);
    }

    /** Tells all that is not known yet, and ends with the study; false if there is nobody or nothing more to tell. */
    boolean catchUp() {
        sending.lock();
        try {
            woken.set(false);
            // Asked first: what happens before it is over is then among the events.
            boolean over =
                    studies.find(studyId).map(study -> study.state().isOver()).orElse(true);
            List<StudyEvent> unknown = events.after(studyId, known, AT_A_TIME);
            while (!unknown.isEmpty()) {
                for (StudyEvent event : unknown) {
                    tell(event);
                    known = event.id();
                }
                unknown = events.after(studyId, known, AT_A_TIME);
            }
            if (over) {
                stream.end();
            }
            return !over;
        } catch (IOException | IllegalStateException gone) {
            log.debug("Somebody who followed study {} has gone", studyId, gone);
            return false;
        } catch (RuntimeException unreadable) {
            LogMarks.during(studyId, () -> log.error("The events of study {} cannot be read", studyId, unreadable));
            stream.end();
            return false;
        } finally {
            sending.unlock();
        }
    }

    /** Shows that the connection lives, unless something is being sent anyway; false if nobody is there. */
    boolean giveSignOfLife() {
        if (!sending.tryLock()) {
            return true;
        }
        try {
            stream.sendSignOfLife();
            return true;
        } catch (IOException | IllegalStateException gone) {
            log.debug("Somebody who followed study {} has gone", studyId, gone);
            return false;
        } finally {
            sending.unlock();
        }
    }

    private void tell(StudyEvent event) throws IOException {
        Optional<ObjectNode> told = what(event);
        if (told.isPresent()) {
            stream.send(event.id(), event.kind().code(), JsonText.of(told.get()));
        }
    }

    /** How the study or the trial stands now; nothing of a trial that was begun and then taken back. */
    private Optional<ObjectNode> what(StudyEvent event) {
        if (event.detail() != null) {
            return Optional.of(JsonText.object(event.detail()));
        }
        Integer number = event.trial();
        return number == null
                ? studies.find(studyId).map(study -> study.answer(clock.instant()))
                : trials.find(studyId, number)
                        .map(trial -> JsonText.tree(TrialReport.of(trial, studies.preparation(studyId))));
    }
}
