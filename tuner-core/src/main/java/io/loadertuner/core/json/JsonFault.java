package io.loadertuner.core.json;

import io.loadertuner.core.space.InvalidFieldException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** What is wrong with a JSON text, in terms of its writer's own fields instead of this program's types. */
public final class JsonFault {
    private JsonFault() {}

    /** Whether the text is no JSON at all, rather than JSON that cannot be accepted. */
    public static boolean isMalformed(JacksonException refused) {
        return !(refused instanceof DatabindException);
    }

    /** The field at fault, by its whole path, and what is wrong with it; {@code body} for the text as a whole. */
    public static InvalidFieldException of(JacksonException refused) {
        InvalidFieldException invalid = invalidField(refused);
        String path = path(refused);
        if (invalid != null) {
            return qualified(path, invalid);
        }
        if (isMalformed(refused)) {
            String line = refused.getLocation() == null
                    ? ""
                    : " (line " + refused.getLocation().getLineNr() + ", column "
                            + refused.getLocation().getColumnNr() + ")";
            return new InvalidFieldException("body", "is no JSON: " + refused.getOriginalMessage() + line);
        }
        if (refused instanceof UnrecognizedPropertyException unknown) {
            return new InvalidFieldException(path, "there is no such field" + known(unknown));
        }
        if (refused instanceof InvalidTypeIdException kind) {
            String given = kind.getTypeId();
            return new InvalidFieldException(
                    path.isEmpty() ? "kind" : path + ".kind",
                    given == null ? "is missing" : "'" + given + "' is not known");
        }
        if (refused instanceof InvalidFormatException format && format.getTargetType() != null) {
            return new InvalidFieldException(
                    orBody(path), "must be " + name(format.getTargetType()) + ", but is '" + format.getValue() + "'");
        }
        if (refused instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
            return new InvalidFieldException(orBody(path), "must be " + name(mismatch.getTargetType()));
        }
        return new InvalidFieldException(orBody(path), "cannot be accepted");
    }

    private static String known(UnrecognizedPropertyException unknown) {
        return unknown.getKnownPropertyIds() == null
                ? ""
                : "; known here are "
                        + unknown.getKnownPropertyIds().stream()
                                .map(String::valueOf)
                                .sorted()
                                .collect(Collectors.joining(", "));
    }

    private static @Nullable InvalidFieldException invalidField(@Nullable Throwable thrown) {
        Throwable cause = thrown;
        while (cause != null && !(cause instanceof InvalidFieldException)) {
            cause = cause.getCause();
        }
        return (InvalidFieldException) cause;
    }

    /** A value names its own field; Jackson knows where that value stands in the text. */
    private static InvalidFieldException qualified(String path, InvalidFieldException invalid) {
        if (path.isEmpty() || invalid.field().startsWith(path + ".")) {
            return invalid;
        }
        if (("." + path + ".").contains("." + invalid.field() + ".")) {
            return new InvalidFieldException(path, invalid.problem());
        }
        return invalid.inside(path);
    }

    private static String path(JacksonException refused) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference reference : refused.getPath()) {
            if (reference.getPropertyName() == null) {
                path.append('[').append(reference.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(reference.getPropertyName());
            }
        }
        return path.toString();
    }

    private static String orBody(String path) {
        return path.isEmpty() ? "body" : path;
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
