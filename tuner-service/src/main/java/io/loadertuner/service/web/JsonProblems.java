package io.loadertuner.service.web;

import io.loadertuner.core.space.InvalidFieldException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** What Jackson says of a body, in terms of the caller's own fields. */
final class JsonProblems {
    private JsonProblems() {}

    static Problem of(JacksonException refused) {
        InvalidFieldException invalid = invalidField(refused);
        if (invalid != null) {
            return invalidField(qualified(path(refused), invalid));
        }
        if (refused instanceof UnrecognizedPropertyException unknown) {
            return unknownField(unknown);
        }
        if (refused instanceof InvalidTypeIdException kind) {
            return unacceptable(
                    join(path(refused), "kind"),
                    kind.getTypeId() == null ? "is missing" : "'" + kind.getTypeId() + "' is not known");
        }
        if (refused instanceof InvalidFormatException format && format.getTargetType() != null) {
            return unacceptable(
                    path(refused), "must be " + name(format.getTargetType()) + ", but is '" + format.getValue() + "'");
        }
        if (refused instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
            return unacceptable(path(refused), "must be " + name(mismatch.getTargetType()));
        }
        if (refused instanceof StreamReadException || !(refused instanceof DatabindException)) {
            return malformed(refused);
        }
        return unacceptable(path(refused), "cannot be accepted");
    }

    static Problem invalidField(InvalidFieldException invalid) {
        return Problem.of(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        "invalid-field",
                        "A field cannot be accepted",
                        String.valueOf(invalid.getMessage()))
                .at(invalid.field());
    }

    private static Problem unacceptable(String field, String problem) {
        return invalidField(new InvalidFieldException(field.isEmpty() ? "body" : field, problem));
    }

    private static Problem malformed(JacksonException malformed) {
        String place = malformed.getLocation() == null
                ? ""
                : " at line " + malformed.getLocation().getLineNr() + ", column "
                        + malformed.getLocation().getColumnNr();
        return Problem.of(
                HttpStatus.BAD_REQUEST,
                "malformed-json",
                "The body is no JSON",
                "the body cannot be read as JSON" + place + ": " + malformed.getOriginalMessage());
    }

    private static Problem unknownField(UnrecognizedPropertyException unknown) {
        String field = path(unknown);
        String known = unknown.getKnownPropertyIds() == null
                ? ""
                : "; known here are "
                        + unknown.getKnownPropertyIds().stream()
                                .map(String::valueOf)
                                .sorted()
                                .collect(Collectors.joining(", "));
        return Problem.of(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        "unknown-field",
                        "A field is not known",
                        field + ": there is no such field" + known)
                .at(field);
    }

    private static @Nullable InvalidFieldException invalidField(@Nullable Throwable thrown) {
        Throwable cause = thrown;
        while (cause != null && !(cause instanceof InvalidFieldException)) {
            cause = cause.getCause();
        }
        return (InvalidFieldException) cause;
    }

    /** The core names a field from the value it made; Jackson knows where that value stands in the body. */
    private static InvalidFieldException qualified(String path, InvalidFieldException invalid) {
        String field = invalid.field();
        if (path.isEmpty()) {
            return invalid;
        }
        if (path.equals(field) || path.startsWith(field + ".")) {
            String problem = String.valueOf(invalid.getMessage()).substring(field.length() + 2);
            return new InvalidFieldException(path, problem);
        }
        return invalid.inside(path);
    }

    private static String path(JacksonException refused) {
        StringBuilder path = new StringBuilder();
        List<JacksonException.Reference> references = refused.getPath();
        for (JacksonException.Reference reference : references) {
            if (reference.getPropertyName() == null) {
                path.append('[').append(reference.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(reference.getPropertyName());
            }
        }
        return path.toString();
    }

    private static String join(String path, String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    private static String name(Class<?> type) {
        if (type == Integer.class || type == int.class || type == Long.class || type == long.class) {
            return "a whole number";
        }
        if (type == Double.class || type == double.class) {
            return "a number";
        }
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        if (type == String.class) {
            return "a text";
        }
        return Iterable.class.isAssignableFrom(type) ? "a list" : "an object";
    }
}
