package io.loadertuner.service.schedule;

/** There is a schedule of the same dataset, loader, machine type and ranks. */
final class ScheduleExistsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ScheduleExistsException(String message) {
        super(message);
    }
}
