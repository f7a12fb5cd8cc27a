package io.loadertuner.service.web;

import io.loadertuner.core.json.JsonFault;
import io.loadertuner.core.space.InvalidFieldException;
import org.springframework.http.HttpStatus;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** What is wrong with a body, as a problem: 400 where it is no JSON, 422 where it is and cannot be accepted. */
final class JsonProblems {
    private JsonProblems() {}

    static Problem of(JacksonException refused) {
        InvalidFieldException fault = JsonFault.of(refused);
        if (JsonFault.isMalformed(refused)) {
            return malformed(text(fault));
        }
        if (refused instanceof UnrecognizedPropertyException) {
            return Problem.of(HttpStatus.UNPROCESSABLE_CONTENT, "unknown-field", "A field is not known", text(fault))
                    .at(fault.field());
        }
        return invalidField(fault);
    }

    static Problem invalidField(InvalidFieldException invalid) {
        return Problem.of(
                        HttpStatus.UNPROCESSABLE_CONTENT, "invalid-field", "A field cannot be accepted", text(invalid))
                .at(invalid.field());
    }

    static Problem malformed(String detail) {
        return Problem.of(HttpStatus.BAD_REQUEST, "malformed-json", "The body is no JSON", detail);
    }

    private static String text(InvalidFieldException invalid) {
        return String.valueOf(invalid.getMessage());
    }
}
