package io.loadertuner.service.page;

import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.loader.TrialFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;

/**
 * A failure as it is shown.
 *
 * @param details the evidence, a text each
 */
public record FailureView(String reason, String message, String advice, List<Detail> details) {

    /** @param text of a value that is no text, its JSON */
    public record Detail(String name, String text) {}

    static FailureView of(TrialFailure failure) {
        List<Detail> details = new ArrayList<>();
        for (Map.Entry<String, Object> detail : failure.details().entrySet()) {
            String text = text(detail.getValue());
            if (!text.isBlank() && !text.equals("[ ]") && !text.equals("{ }")) {
                details.add(new Detail(Words.plain(detail.getKey()), text));
            }
        }
        return new FailureView(Words.plain(failure.reason().code()), failure.message(), failure.advice(), details);
    }

    private static String text(@Nullable Object value) {
        if (value == null) {
            return "";
        }
        return value instanceof String text
                ? text
                : TunerJson.mapper()
                        .writer(SerializationFeature.INDENT_OUTPUT)
                        .writeValueAsString(value)
                        .replace("\\n", "\n");
    }
}
