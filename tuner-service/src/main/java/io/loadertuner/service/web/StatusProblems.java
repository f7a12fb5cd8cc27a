package io.loadertuner.service.web;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;

/** Problems of which the status says all there is. */
final class StatusProblems {
    private StatusProblems() {}

    static Problem of(HttpStatusCode status) {
        return of(status, HttpHeaders.EMPTY);
    }

    static Problem of(HttpStatusCode status, HttpHeaders headers) {
        if (status.isSameCodeAs(HttpStatus.NOT_FOUND)) {
            return Problem.of(status, "not-found", "Not found", "there is nothing at this address");
        }
        if (status.isSameCodeAs(HttpStatus.METHOD_NOT_ALLOWED)) {
            return Problem.of(
                    status,
                    "method-not-allowed",
                    "Method not allowed",
                    "this address is called with " + String.join(", ", headers.getValuesAsList(HttpHeaders.ALLOW)));
        }
        if (status.isSameCodeAs(HttpStatus.NOT_ACCEPTABLE)) {
            return Problem.of(status, "not-acceptable", "Not acceptable", "answers are application/json; accept that");
        }
        if (status.isSameCodeAs(HttpStatus.UNSUPPORTED_MEDIA_TYPE)) {
            return Problem.of(
                    status,
                    "unsupported-media-type",
                    "Unsupported media type",
                    "a call that changes something needs the header Content-Type: application/json");
        }
        HttpStatus known = HttpStatus.resolve(status.value());
        String title = known == null ? "Error " + status.value() : known.getReasonPhrase();
        return Problem.of(
                status,
                status.is4xxClientError() ? "bad-request" : "internal-error",
                title,
                status.is4xxClientError() ? "this call cannot be understood" : "the service failed at this call");
    }
}
