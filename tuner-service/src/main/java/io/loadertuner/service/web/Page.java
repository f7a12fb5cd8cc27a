package io.loadertuner.service.web;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list.
 *
 * @param nextCursor asks for the next page; null on the last
 */
public record Page<T>(List<T> items, @Nullable String nextCursor) {

    /** A list that is not paged. */
    public static <T> Page<T> all(List<T> items) {
        return new Page<>(items, null);
    }

    /**
     * @param found one more than {@code limit} where there is a next page
     * @param place of one found, after which the next page begins
     */
    public static <S, T> Page<T> of(List<S> found, int limit, Function<S, Long> place, Function<S, T> item) {
        boolean more = found.size() > limit;
        List<S> shown = more ? found.subList(0, limit) : found;
        String next = more ? place.apply(shown.get(limit - 1)).toString() : null;
        return new Page<>(shown.stream().map(item).toList(), next);
    }
}
