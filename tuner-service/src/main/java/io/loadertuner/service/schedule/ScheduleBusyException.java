package io.loadertuner.service.schedule;

/** A schedule cannot run now. */
final class ScheduleBusyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ScheduleBusyException(String message) {
        super(message);
    }
}
