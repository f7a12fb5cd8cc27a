package io.loadertuner.service.web;

import io.loadertuner.core.space.InvalidFieldException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import tools.jackson.core.JacksonException;

/** Whatever no other advice knows, as a problem. */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
class ProblemAdvice {
    private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

    @ExceptionHandler
    ResponseEntity<Problem> invalidField(InvalidFieldException invalid) {
        return JsonProblems.invalidField(invalid).answer();
    }

    @ExceptionHandler
    ResponseEntity<Problem> invalidParameter(InvalidParameterException invalid) {
        return invalidParameter(invalid.parameter(), String.valueOf(invalid.getMessage()));
    }

    @ExceptionHandler
    ResponseEntity<Problem> notFound(NotFoundException missing) {
        return Problem.of(HttpStatus.NOT_FOUND, "not-found", "Not found", String.valueOf(missing.getMessage()))
                .answer();
    }

    @ExceptionHandler
    ResponseEntity<Problem> missingParameter(MissingServletRequestParameterException missing) {
        return invalidParameter(missing.getParameterName(), missing.getParameterName() + ": is missing");
    }

    @ExceptionHandler
    ResponseEntity<Problem> mistypedParameter(MethodArgumentTypeMismatchException mistyped) {
        return invalidParameter(
                mistyped.getName(), mistyped.getName() + ": '" + mistyped.getValue() + "' is no whole number");
    }

    private static ResponseEntity<Problem> invalidParameter(String parameter, String detail) {
        return Problem.of(HttpStatus.BAD_REQUEST, "invalid-parameter", "A parameter cannot be accepted", detail)
                .at(parameter)
                .answer();
    }

    @ExceptionHandler
    ResponseEntity<Problem> unreadableBody(HttpMessageNotReadableException unreadable) {
        for (Throwable cause = unreadable.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof BodyTooLargeException) {
                return BodyTooLargeException.problem().answer();
            }
        }
        if (unreadable.getCause() instanceof JacksonException refused) {
            return JsonProblems.of(refused).answer();
        }
        return JsonProblems.malformed("a body of JSON is needed").answer();
    }

    @ExceptionHandler
    ResponseEntity<Problem> refusedBody(RefusedBodyException refused) {
        return refused.problem().answer();
    }

    /** The caller has gone. */
    @ExceptionHandler
    void gone(AsyncRequestNotUsableException gone) {
        log.debug("A caller did not wait for its answer", gone);
    }

    @ExceptionHandler
    @Nullable
    ResponseEntity<Problem> other(Exception other) {
        if (other instanceof ErrorResponse refused) {
            return refused(refused.getStatusCode(), refused.getHeaders());
        }
        String call = CallTrace.currentInstance();
        log.error("Unexpected error at {}", call, other);
        return Problem.of(
                        HttpStatus.INTERNAL_SERVER_ERROR,
                        "internal-error",
                        "Unexpected error",
                        "the service failed at this call; its log tells more under " + call)
                .answer();
    }

    private static ResponseEntity<Problem> refused(HttpStatusCode status, HttpHeaders headers) {
        return StatusProblems.of(status, headers).answer(headers);
    }
}
