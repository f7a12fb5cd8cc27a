package io.loadertuner.core.tuning;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.loadertuner.core.space.InvalidFieldException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** The values a setting may take, as a list ({@code [1, 2, 4]}) or as bounds ({@code {"min": 0, "max": 8}}). */
public record IntegerRange(@JsonValue List<Integer> values) {
    private static final int MOST_VALUES = 2048;

    public IntegerRange {
        values = List.copyOf(values);
    }

    /**
     * @throws InvalidFieldException for anything but a list of whole numbers or bounds
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static IntegerRange of(JsonNode json) {
        if (json.isArray() && !json.isEmpty() && json.size() <= MOST_VALUES) {
            List<Integer> values = new ArrayList<>();
            json.forEach(value -> values.add(whole(value)));
            return new IntegerRange(values);
        }
        if (json.isObject() && json.size() == 2 && json.has("min") && json.has("max")) {
            int min = whole(json.get("min"));
            int max = whole(json.get("max"));
            if (min <= max && (long) max - min < MOST_VALUES) {
                return new IntegerRange(IntStream.rangeClosed(min, max).boxed().toList());
            }
        }
        throw new InvalidFieldException(
                "space",
                "a setting's values are a list of whole numbers, or {\"min\": …, \"max\": …} with min up to max, at most "
                        + MOST_VALUES + " values; but is " + json);
    }

    private static int whole(JsonNode value) {
        if (!value.isInt()) {
            throw new InvalidFieldException("space", "a setting's value must be a whole number, but is " + value);
        }
        return value.intValue();
    }
}
