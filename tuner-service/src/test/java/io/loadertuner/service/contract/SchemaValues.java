package io.loadertuner.service.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Values that a schema allows, those at its limits more often than others. */
final class SchemaValues {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** What a study takes time for: only the least of them, and no more of it than asked. */
    private static final Set<String> COSTLY = Set.of("wait", "seconds", "trials", "ranks");

    /** Without it a study takes as long as any may. */
    private static final Set<String> ALWAYS = Set.of("budget", "seconds", "trials");

    private static final double NULL = 0.1;
    private static final int MOST_ITEMS = 3;

    /** Of these a text is taken that fits. */
    private static final List<String> TEXTS = List.of(
            "a",
            "train",
            "photos",
            ".",
            "test-machine",
            "other-machine",
            "default",
            "none",
            "NVIDIA H200",
            "2.13.0+cpu",
            "loader.module:make.dataset",
            "ünïcode/数据集:1@+",
            "0",
            "1",
            "50",
            "999999999999999999",
            "\"a tag\", W/\"another\"",
            "e\u0301 \ud83d\ude00 \u202e",
            "x".repeat(64),
            "x".repeat(200),
            "数".repeat(200),
            "");

    private final Contract contract;
    private final Random random;

    SchemaValues(Contract contract, Random random) {
        this.contract = contract;
        this.random = random;
    }

    /** @param name of the field or the parameter that the value is for */
    JsonNode of(String name, JsonNode schema) {
        JsonNode said = contract.resolved(schema);
        List<JsonNode> choices = new ArrayList<>();
        said.path("anyOf").forEach(choices::add);
        said.path("oneOf").forEach(choices::add);
        if (!choices.isEmpty()) {
            boolean none = random.nextDouble() < NULL && !ALWAYS.contains(name);
            choices.removeIf(choice -> !none && choice.path("type").asString("").equals("null"));
            return of(name, oneOf(choices));
        }
        if (said.has("const")) {
            return said.path("const");
        }
        if (said.has("enum")) {
            return oneOf(said.path("enum").valueStream().toList());
        }
        if (said.has("examples") && random.nextInt(20) > 0) {
            return oneOf(said.path("examples").valueStream().toList());
        }
        List<String> types = said.path("type").isArray()
                ? said.path("type").valueStream().map(JsonNode::asString).toList()
                : List.of(said.path("type").asString("object"));
        if (types.equals(List.of("null"))) {
            return JSON.nullNode();
        }
        if (types.contains("null") && random.nextDouble() < NULL && !ALWAYS.contains(name)) {
            return JSON.nullNode();
        }
        return switch (types.get(0)) {
            case "integer" -> JSON.numberNode(whole(name, said));
            case "number" -> JSON.numberNode(number(said));
            case "boolean" -> JSON.booleanNode(random.nextBoolean());
            case "array" -> array(name, said);
            case "string" -> JSON.stringNode(text(said));
            default -> object(said);
        };
    }

    private ObjectNode object(JsonNode said) {
        ObjectNode made = JSON.objectNode();
        List<String> required =
                said.path("required").valueStream().map(JsonNode::asString).toList();
        double share = random.nextInt(3) == 0 ? 0 : random.nextDouble();
        for (Map.Entry<String, JsonNode> property : said.path("properties").properties()) {
            String name = property.getKey();
            if (required.contains(name) || ALWAYS.contains(name) || random.nextDouble() < share) {
                made.set(name, of(name, property.getValue()));
            }
        }
        if (said.path("additionalProperties").asBoolean(!said.has("properties"))) {
            made.put("any", oneOf(TEXTS));
        }
        return made;
    }

    private ArrayNode array(String name, JsonNode said) {
        ArrayNode made = JSON.arrayNode();
        int most = Math.min(MOST_ITEMS, said.path("maxItems").asInt(MOST_ITEMS));
        int least = said.path("minItems").asInt(0);
        int length = least + random.nextInt(Math.max(1, most - least + 1));
        for (int index = 0; index < length; index++) {
            JsonNode item = of(name, said.path("items"));
            if (!said.path("uniqueItems").asBoolean(false) || made.valueStream().noneMatch(item::equals)) {
                made.add(item);
            }
        }
        return made;
    }

    private long whole(String name, JsonNode said) {
        long min = said.path("minimum").asLong(0);
        long max = said.path("maximum").asLong(Long.MAX_VALUE);
        if (COSTLY.contains(name)) {
            return min;
        }
        return switch (random.nextInt(4)) {
            case 0 -> min;
            case 1 -> max;
            case 2 -> Math.min(max, min + 1 + random.nextInt(4));
            default -> min + (long) ((max - min) * Math.pow(random.nextDouble(), 8));
        };
    }

    private double number(JsonNode said) {
        double min = said.path("minimum").asDouble(said.path("exclusiveMinimum").asDouble(0));
        double max = said.path("maximum").asDouble(1e9);
        boolean open = said.has("exclusiveMinimum");
        return switch (random.nextInt(3)) {
            case 0 -> open ? min + 0.001 : min;
            case 1 -> max;
            default -> Math.max(min + 0.001, Math.round(1000 * max * Math.pow(random.nextDouble(), 8)) / 1000.0);
        };
    }

    private String text(JsonNode said) {
        List<String> fitting = TEXTS.stream()
                .filter(text -> contract.faults(said, JSON.stringNode(text)).isEmpty())
                .toList();
        if (fitting.isEmpty()) {
            throw new AssertionError("none of the texts fits " + said);
        }
        return oneOf(fitting);
    }

    private <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
