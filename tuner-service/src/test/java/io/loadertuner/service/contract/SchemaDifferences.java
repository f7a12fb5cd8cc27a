package io.loadertuner.service.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.tuning.IntegerRange;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a schema says otherwise than the Java type whose JSON it describes: fields, their types, the words of enums, what may
 * be null and what is always there. Limits are not compared: they stand in code.
 */
final class SchemaDifferences {
    private final Contract contract;
    private final List<String> found = new ArrayList<>();
    private final Set<String> compared = new LinkedHashSet<>();

    private SchemaDifferences(Contract contract) {
        this.contract = contract;
    }

    static List<String> of(Contract contract, String where, JsonNode schema, Type type) {
        SchemaDifferences differences = new SchemaDifferences(contract);
        differences.compare(where, schema, type, Map.of());
        return differences.found;
    }

    private void compare(String where, JsonNode schema, Type type, Map<TypeVariable<?>, Type> known) {
        Type actual = type instanceof TypeVariable<?> variable ? known.getOrDefault(variable, type) : type;
        Class<?> raw = (Class<?>) (actual instanceof ParameterizedType given ? given.getRawType() : actual);
        JsonNode said = contract.resolved(schema);
        if (raw == ObjectNode.class) {
            composed(where, schema, said);
        } else if (raw == IntegerRange.class) {
            expect(where, "anyOf a list and bounds", said.path("anyOf").size() >= 2);
        } else if (raw.isAnnotationPresent(JsonSubTypes.class)) {
            variants(where, said, raw);
        } else if (raw.isRecord()) {
            if (compared.add(raw.getName() + " " + schema)) {
                fields(where, said, raw, variables(raw, actual), Map.of());
            }
        } else if (raw.isEnum()) {
            expectType(where, said, "string");
            expect(where, "the words " + words(raw), words(raw).equals(words(said)));
        } else if (Collection.class.isAssignableFrom(raw)) {
            expectType(where, said, "array");
            compare(where + "[]", said.path("items"), ((ParameterizedType) actual).getActualTypeArguments()[0], known);
        } else {
            expectType(where, said, jsonType(raw));
        }
    }

    /** What is put together without a type of its own. */
    private void composed(String where, JsonNode schema, JsonNode said) {
        String name = schema.path("$ref").asString("");
        if (name.endsWith("/Study")) {
            fields(where, said, StudyReport.class, Map.of(), Map.of("created_at", false, "ended_at", true));
        } else if (name.endsWith("/TuneDescriptor")) {
            fields(where, said, StudyRequest.class, Map.of(), Map.of("tune", true));
        } else {
            expect(where, "a schema that this test knows a type for", false);
        }
    }

    private void variants(String where, JsonNode said, Class<?> type) {
        Map<String, JsonNode> byKind = new LinkedHashMap<>();
        said.path("oneOf")
                .valueStream()
                .map(contract::resolved)
                .forEach(variant ->
                        byKind.put(variant.at("/properties/kind/const").asString(), variant));
        JsonSubTypes.Type[] types = type.getAnnotation(JsonSubTypes.class).value();
        Set<String> kinds = Arrays.stream(types).map(JsonSubTypes.Type::name).collect(Collectors.toSet());
        expect(where, "the kinds " + kinds, kinds.equals(byKind.keySet()));
        for (JsonSubTypes.Type one : types) {
            JsonNode variant = byKind.get(one.name());
            if (variant != null) {
                fields(where + "(" + one.name() + ")", variant, one.value(), Map.of(), Map.of("kind", false));
            }
        }
    }

    /** @param more fields that the type has not, each with whether it may be null */
    private void fields(
            String where, JsonNode said, Class<?> type, Map<TypeVariable<?>, Type> known, Map<String, Boolean> more) {
        expectType(where, said, "object");
        Map<String, RecordComponent> components = components(type);
        Set<String> names = new TreeSet<>(components.keySet());
        names.addAll(more.keySet());
        Set<String> described = new TreeSet<>();
        said.path("properties").propertyNames().forEach(described::add);
        expect(where, "the fields " + names, names.equals(described));
        components.forEach((name, component) -> {
            JsonNode property = said.path("properties").path(name);
            if (!property.isMissingNode()) {
                field(where + "." + name, property, type, component, !isAnswered(said), known);
            }
        });
        more.forEach((name, mayBeNull) ->
                expectNull(where + "." + name, said.path("properties").path(name), mayBeNull));
        if (isAnswered(said) && type != StudyReport.class) {
            Set<String> always = new TreeSet<>(names);
            if (omitsNull(type)) {
                components.forEach((name, component) -> {
                    if (isNullable(component)) {
                        always.remove(name);
                    }
                });
            }
            Set<String> required =
                    said.path("required").valueStream().map(JsonNode::asString).collect(Collectors.toSet());
            expect(where, "with the required fields " + always, required.equals(always));
        }
    }

    /** A body takes nothing else than what is described; of an answer, callers have to bear with more. */
    private static boolean isAnswered(JsonNode said) {
        return said.path("additionalProperties").asBoolean(true);
    }

    private static boolean omitsNull(Class<?> type) {
        return type.isAnnotationPresent(JsonInclude.class);
    }

    private static boolean isNullable(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    private void field(
            String where,
            JsonNode property,
            Class<?> type,
            RecordComponent component,
            boolean given,
            Map<TypeVariable<?>, Type> known) {
        // A number that is not given counts as 0, and may be given as null.
        if (!(given && component.getType().isPrimitive())) {
            expectNull(where, property, isNullable(component) && !omitsNull(type));
        }
        compare(where, withoutNull(property), component.getAnnotatedType().getType(), known);
    }

    private static Map<String, RecordComponent> components(Class<?> type) {
        Map<String, RecordComponent> named = new LinkedHashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            if (isUnwrapped(type, component)) {
                named.putAll(components(component.getType()));
            } else {
                named.put(component.getName().replaceAll("(?=[A-Z])", "_").toLowerCase(Locale.ROOT), component);
            }
        }
        return named;
    }

    private static boolean isUnwrapped(Class<?> type, RecordComponent component) {
        return component.isAnnotationPresent(JsonUnwrapped.class)
                || component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)
                || Arrays.stream(type.getDeclaredFields())
                        .filter(field -> field.getName().equals(component.getName()))
                        .anyMatch(field -> field.isAnnotationPresent(JsonUnwrapped.class));
    }

    private static Map<TypeVariable<?>, Type> variables(Class<?> raw, Type actual) {
        Map<TypeVariable<?>, Type> known = new LinkedHashMap<>();
        if (actual instanceof ParameterizedType given) {
            for (int index = 0; index < raw.getTypeParameters().length; index++) {
                known.put(raw.getTypeParameters()[index], given.getActualTypeArguments()[index]);
            }
        }
        return known;
    }

    private static String jsonType(Class<?> raw) {
        if (raw == int.class || raw == Integer.class || raw == long.class || raw == Long.class) {
            return "integer";
        }
        if (raw == double.class || raw == Double.class) {
            return "number";
        }
        if (raw == boolean.class || raw == Boolean.class) {
            return "boolean";
        }
        return raw == String.class || raw == Instant.class ? "string" : "object";
    }

    private static Set<String> words(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> TunerJson.mapper().valueToTree(constant).asString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> words(JsonNode said) {
        return said.path("enum")
                .valueStream()
                .filter(word -> !word.isNull())
                .map(JsonNode::asString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> types(JsonNode schema) {
        JsonNode type = schema.path("type");
        return type.isArray()
                ? type.valueStream().map(JsonNode::asString).toList()
                : Optional.of(type.asString("")).stream().toList();
    }

    private boolean saysNull(JsonNode schema) {
        return types(schema).contains("null")
                || schema.path("anyOf").valueStream().anyMatch(this::saysNull);
    }

    /** The schema of a value that may be null, for when it is not. */
    private static JsonNode withoutNull(JsonNode schema) {
        JsonNode choices = schema.path("anyOf");
        return choices.size() == 2 && choices.path(1).path("type").asString("").equals("null")
                ? choices.path(0)
                : schema;
    }

    private void expectNull(String where, JsonNode schema, boolean mayBeNull) {
        expect(where, mayBeNull ? "null as well" : "never null", saysNull(schema) == mayBeNull);
    }

    private void expectType(String where, JsonNode schema, String type) {
        expect(where, "type " + type, types(schema).contains(type));
    }

    private void expect(String where, String what, boolean isSo) {
        if (!isSo) {
            found.add(where + ": must be " + what);
        }
    }
}
