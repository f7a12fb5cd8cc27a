package io.loadertuner.service.study;

import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.StudyState;
import org.jspecify.annotations.Nullable;

/** Where the rest of the service has studies queued. */
public interface StudyQueue {

    /**
     * The request as it is stored: with absolute paths.
     *
     * @throws InvalidFieldException if something of it is not allowed here
     */
    StudyRequest admitted(StudyRequest request);

    /**
     * Queues a study, unless one was queued for the same reason before: then that one is answered.
     *
     * @param reason up to 190 characters
     * @throws InvalidFieldException if something of it is not allowed here
     */
    Queued queueOnce(StudyRequest request, String reason);

    /**
     * Queues a study that no caller asks for, unless one was queued for the same reason before: then that one is answered.
     *
     * @param reason up to 190 characters
     * @param drift why the study is needed, to be told among its events; null to tell nothing
     * @throws InvalidFieldException if something of it is not allowed here any more
     */
    Queued queueScheduled(StudyRequest request, String reason, @Nullable Object drift);

    /** A study in the queue, or through it. */
    record Queued(String id, StudyState state) {}
}
