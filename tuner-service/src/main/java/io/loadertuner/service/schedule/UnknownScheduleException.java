package io.loadertuner.service.schedule;

import io.loadertuner.service.web.NotFoundException;

/** There is no such schedule. */
final class UnknownScheduleException extends NotFoundException {
    private static final long serialVersionUID = 1;

    UnknownScheduleException(String id) {
        super("there is no schedule '" + id + "'");
    }
}
