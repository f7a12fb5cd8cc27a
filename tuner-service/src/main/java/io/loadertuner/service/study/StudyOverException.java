package io.loadertuner.service.study;

import io.loadertuner.core.tuning.StudyState;
import java.util.Locale;

/** A study that is over cannot be cancelled. */
final class StudyOverException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StudyOverException(String id, StudyState state) {
        super("study " + id + " is over: " + state.name().toLowerCase(Locale.ROOT));
    }
}
