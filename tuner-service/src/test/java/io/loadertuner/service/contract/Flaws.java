package io.loadertuner.service.contract;

import io.loadertuner.core.json.TunerJson;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What callers do wrong to a body, on purpose or not. */
final class Flaws {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Texts that have broken programs. */
    static final List<String> TEXTS = List.of(
            "",
            " ",
            "\u0000",
            "a\u0000b",
            "null",
            "NaN",
            "-1",
            "1e3",
            "0x10",
            "../../../../etc/passwd",
            "/etc/passwd",
            "' or '1'='1",
            "\"; drop table study; --",
            "%s%n%x",
            "${jndi:ldap://127.0.0.1/a}",
            "#{7*7}",
            "<script>alert(1)</script>",
            "\r\nSet-Cookie: a=b",
            "\ud800",
            "\u202e\ufeff\uffff",
            "\ud83d\udc69\u200d\ud83d\ude80",
            "é".repeat(201),
            "y".repeat(10_000));

    private static final List<JsonNode> VALUES = values();

    private final Random random;

    Flaws(Random random) {
        this.random = random;
    }

    private static List<JsonNode> values() {
        List<JsonNode> values = new ArrayList<>();
        TEXTS.forEach(text -> values.add(JSON.stringNode(text)));
        values.add(JSON.nullNode());
        values.add(JSON.booleanNode(true));
        values.add(JSON.numberNode(-1));
        values.add(JSON.numberNode(0));
        values.add(JSON.numberNode(0.5));
        values.add(JSON.numberNode(1.0));
        values.add(JSON.numberNode(-0.0));
        values.add(JSON.numberNode(Integer.MAX_VALUE + 1L));
        values.add(JSON.numberNode(Long.MAX_VALUE));
        values.add(JSON.numberNode(BigInteger.TWO.pow(200)));
        values.add(JSON.numberNode(1e308));
        values.add(JSON.numberNode(Double.MIN_VALUE));
        values.add(JSON.arrayNode());
        values.add(JSON.objectNode());
        values.add(JSON.arrayNode().add(JSON.nullNode()));
        values.add(JSON.objectNode().put("min", 0).put("max", Integer.MAX_VALUE));
        values.add(JSON.objectNode().put("min", 5).put("max", 1));
        values.add(JSON.objectNode().put("kind", "python"));
        ArrayNode many = JSON.arrayNode();
        for (int item = 0; item < 3000; item++) {
            many.add(item);
        }
        values.add(many);
        return values;
    }

    /** One of its own: it may be spoiled further. */
    JsonNode value() {
        return VALUES.get(random.nextInt(VALUES.size())).deepCopy();
    }

    String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }

    /** The tree with one to three of its fields and items replaced, left out, or joined by one that is not known. */
    JsonNode inside(JsonNode tree) {
        JsonNode flawed = tree.deepCopy();
        for (int flaw = 0; flaw <= random.nextInt(3); flaw++) {
            List<JsonNode> containers = new ArrayList<>();
            collect(flawed, containers);
            if (containers.isEmpty()) {
                return value();
            }
            spoil(containers.get(random.nextInt(containers.size())));
        }
        return flawed;
    }

    private static void collect(JsonNode tree, List<JsonNode> containers) {
        if (tree.isContainer()) {
            containers.add(tree);
            tree.forEach(child -> collect(child, containers));
        }
    }

    private void spoil(JsonNode container) {
        if (container instanceof ArrayNode array) {
            if (array.isEmpty() || random.nextInt(3) == 0) {
                array.add(value());
            } else {
                array.set(random.nextInt(array.size()), value());
            }
        } else if (container instanceof ObjectNode object) {
            List<String> names = List.copyOf(object.propertyNames());
            int way = names.isEmpty() ? 0 : random.nextInt(6);
            switch (way) {
                case 0 -> object.set("unknown", value());
                case 1 -> object.remove(names.get(random.nextInt(names.size())));
                case 2 -> object.set(text(), value());
                default -> object.set(names.get(random.nextInt(names.size())), value());
            }
        }
    }

    /** A text that is no JSON of one value, in UTF-8, or none at all. */
    byte[] malformed(JsonNode tree) {
        String text = TunerJson.mapper().writeValueAsString(tree);
        return switch (random.nextInt(14)) {
            case 0 -> new byte[0];
            case 1 -> bytes(text.substring(0, random.nextInt(text.length())));
            case 2 -> bytes(text + text);
            case 3 -> bytes(text.replace('"', '\''));
            case 4 -> bytes(text.replaceFirst("\\{", "{,"));
            case 5 -> bytes(text.replaceFirst("\\{", "{\"name\": 1, \"name\": 2,"));
            case 6 -> bytes("// a comment\n" + text);
            case 7 -> bytes("[".repeat(50_000));
            case 8 -> bytes("{\"a\":".repeat(20_000));
            case 9 -> bytes("{\"name\": 1" + "0".repeat(5000) + "}");
            case 10 -> bytes("{\"name\": \"\\ud8\"}");
            case 11 -> bytes("{\"name\": \"" + "z".repeat(1 << 20) + "\"}");
            case 12 -> new byte[] {'{', '"', (byte) 0xc3, 0x28, (byte) 0xff, '"', ':', '1', '}'};
            default -> bytes("NaN");
        };
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
