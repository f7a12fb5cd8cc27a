package io.loadertuner.service.study;

import java.time.Duration;

/** Somebody queues studies faster than they may. */
public final class TooManyStudiesException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final Duration untilAnother;

    /** @param untilAnother after which another one will be taken */
    public TooManyStudiesException(int perHour, Duration untilAnother) {
        super("with one token %d studies an hour can be queued".formatted(perHour));
        this.untilAnother = untilAnother;
    }

    Duration untilAnother() {
        return untilAnother;
    }
}
