package io.loadertuner.service.store;

import io.loadertuner.core.json.TunerJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Values as JSON in text columns, by the core's rules. */
public final class JsonText {
    private static final JsonMapper JSON = TunerJson.mapper();

    private JsonText() {}

    public static String of(Object value) {
        return JSON.writeValueAsString(value);
    }

    /** For people: a line for each field. */
    public static String pretty(Object value) {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(value);
    }

    /** The same text for the same value: keys of maps in their order. */
    public static String canonical(Object value) {
        return JSON.writer(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).writeValueAsString(value);
    }

    public static <T> T read(String text, Class<T> type) {
        return JSON.readValue(text, type);
    }

    public static ObjectNode object(String text) {
        return (ObjectNode) JSON.readTree(text);
    }

    public static ObjectNode tree(Object value) {
        return JSON.valueToTree(value);
    }

    public static <T> T value(JsonNode tree, Class<T> type) {
        return JSON.treeToValue(tree, type);
    }
}
