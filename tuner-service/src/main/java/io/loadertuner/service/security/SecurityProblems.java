package io.loadertuner.service.security;

import io.loadertuner.service.web.Problem;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What Spring Security refuses when a call is read, as an answer. */
@RestControllerAdvice
@Order(0)
class SecurityProblems {

    /** A header or a parameter with characters that none can have: seen only when somebody reads it. */
    @ExceptionHandler
    ResponseEntity<Problem> rejected(RequestRejectedException rejected) {
        return Problem.of(
                        HttpStatus.BAD_REQUEST,
                        "bad-request",
                        "Bad Request",
                        "a header has characters that none can have")
                .answer();
    }
}
