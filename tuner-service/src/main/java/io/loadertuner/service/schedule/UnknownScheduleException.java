package io.loadertuner.service.schedule;

/** There is no such schedule. */
public final class UnknownScheduleException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnknownScheduleException(String id) {
        super("there is no schedule '" + id + "'");
    }
}
