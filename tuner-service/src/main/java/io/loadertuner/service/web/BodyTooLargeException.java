package io.loadertuner.service.web;

import java.io.IOException;
import org.springframework.http.HttpStatus;

/** A body longer than {@link #MOST_BYTES}. */
final class BodyTooLargeException extends IOException {
    private static final long serialVersionUID = 1L;
    static final int MOST_BYTES = 1 << 20;

    BodyTooLargeException() {
        super("the body is longer than " + MOST_BYTES + " bytes");
    }

    static Problem problem() {
        return Problem.of(
                HttpStatus.CONTENT_TOO_LARGE,
                "body-too-large",
                "The body is too large",
                "a body may have up to " + MOST_BYTES + " bytes");
    }
}
