package io.loadertuner.service.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.service.store.JsonText;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * An error as it is answered (RFC 9457).
 *
 * @param type a stable name of the kind of problem, beginning with {@value #TYPES}
 * @param detail names the field where there is one, what is wrong and what would do
 * @param instance the call, under which the log knows it
 * @param field the field of the body, or the parameter, that cannot be accepted
 * @param failure what the loader failed with
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        @Nullable String instance,
        @Nullable String field,
        @Nullable TrialFailure failure) {
    static final String TYPES = "urn:loader-tuner:problem:";

    public static Problem of(HttpStatusCode status, String type, String title, String detail) {
        return new Problem(TYPES + type, title, status.value(), detail, CallTrace.currentInstance(), null, null);
    }

    public Problem at(String invalidField) {
        return new Problem(type, title, status, detail, instance, invalidField, failure);
    }

    public Problem with(TrialFailure loaderFailure) {
        return new Problem(type, title, status, detail, instance, field, loaderFailure);
    }

    Problem of(HttpServletRequest call) {
        return new Problem(type, title, status, detail, CallTrace.instance(CallTrace.of(call)), field, failure);
    }

    /** Answers with it where no controller does. */
    public void writeTo(HttpServletResponse response) throws IOException {
        byte[] body = JsonText.of(this).getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    public ResponseEntity<Problem> answer() {
        return answer(HttpHeaders.EMPTY);
    }

    public ResponseEntity<Problem> answer(HttpHeaders headers) {
        return ResponseEntity.status(status)
                .headers(headers)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(this);
    }
}
