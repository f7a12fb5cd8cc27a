package io.loadertuner.service.web;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which page of a list is asked for.
 *
 * @param cursor the place after which it begins; null for the first page
 * @param limit items on it at most
 */
public record PageRequest(@Nullable Long cursor, int limit) {
    private static final int DEFAULT_LIMIT = 50;
    private static final int HIGHEST_LIMIT = 200;
    private static final Pattern PLACE = Pattern.compile("\\d{1,18}");

    /**
     * @throws InvalidParameterException for a cursor that no page named, or a limit out of range
     */
    public static PageRequest of(@Nullable String cursor, @Nullable String limit) {
        if (cursor != null && !PLACE.matcher(cursor).matches()) {
            throw new InvalidParameterException(
                    "cursor", "must be the next_cursor of the page before, but is '" + cursor + "'");
        }
        return new PageRequest(cursor == null ? null : Long.valueOf(cursor), limit(limit));
    }

    private static int limit(@Nullable String text) {
        if (text == null) {
            return DEFAULT_LIMIT;
        }
        int limit = text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
        if (limit < 1 || limit > HIGHEST_LIMIT) {
            throw new InvalidParameterException(
                    "limit", "must be a whole number from 1 to " + HIGHEST_LIMIT + ", but is '" + text + "'");
        }
        return limit;
    }
}
