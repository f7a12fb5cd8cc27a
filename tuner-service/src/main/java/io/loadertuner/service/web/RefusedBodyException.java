package io.loadertuner.service.web;

import io.loadertuner.service.store.JsonText;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A body of JSON that is not what its call takes. */
public final class RefusedBodyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final JacksonException refused;

    private RefusedBodyException(JacksonException refused) {
        super(refused);
        this.refused = refused;
    }

    /** @throws RefusedBodyException if the tree is no such value */
    public static <T> T orValue(JsonNode tree, Class<T> type) {
        try {
            return JsonText.value(tree, type);
        } catch (JacksonException refused) {
            throw new RefusedBodyException(refused);
        }
    }

    Problem problem() {
        return JsonProblems.of(refused);
    }
}
