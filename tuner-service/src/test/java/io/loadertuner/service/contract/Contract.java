package io.loadertuner.service.contract;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.loadertuner.core.json.TunerJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The checked-in OpenAPI document, as tests read it. */
final class Contract {
    static final Path FILE = Path.of("src", "main", "resources", "openapi.json");

    private static final String ID = "urn:loader-tuner:openapi";
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete", "head", "options");

    private final String text;
    private final JsonNode root;
    private final SchemaRegistry schemas;
    private final IdentityHashMap<JsonNode, Schema> compiled = new IdentityHashMap<>();

    private Contract(String text) {
        this.text = text;
        this.root = TunerJson.mapper().readTree(text);
        this.schemas = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12, registry -> registry.schemas(Map.of(ID, text)));
    }

    static Contract read() {
        try {
            return new Contract(Files.readString(FILE));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    String text() {
        return text;
    }

    JsonNode root() {
        return root;
    }

    /**
     * A call of the document.
     *
     * @param method in upper case
     * @param path with its variables in braces
     */
    record Call(String method, String path, JsonNode operation, List<Parameter> parameters) {
        String name() {
            return method + " " + path;
        }

        JsonNode responses() {
            return operation.path("responses");
        }

        /** The schema of its body; empty where it has none. */
        Optional<JsonNode> body() {
            JsonNode schema = operation.at("/requestBody/content/application~1json/schema");
            return schema.isMissingNode() ? Optional.empty() : Optional.of(schema);
        }

        boolean needsBody() {
            return operation.at("/requestBody/required").asBoolean(false);
        }
    }

    /**
     * A parameter of a call.
     *
     * @param in {@code path}, {@code query} or {@code header}
     */
    record Parameter(String name, String in, boolean required, boolean mayBeEmpty, JsonNode schema) {}

    List<Call> calls() {
        List<Call> calls = new ArrayList<>();
        root.path("paths")
                .propertyStream()
                .forEach(path -> path.getValue()
                        .propertyStream()
                        .filter(method -> METHODS.contains(method.getKey()))
                        .forEach(method -> calls.add(new Call(
                                method.getKey().toUpperCase(Locale.ROOT),
                                path.getKey(),
                                method.getValue(),
                                parameters(method.getValue())))));
        return calls;
    }

    private List<Parameter> parameters(JsonNode operation) {
        return operation
                .path("parameters")
                .valueStream()
                .map(this::resolved)
                .map(found -> new Parameter(
                        found.path("name").asString(),
                        found.path("in").asString(),
                        found.path("required").asBoolean(false),
                        found.path("allowEmptyValue").asBoolean(false),
                        found.path("schema")))
                .toList();
    }

    Map<String, JsonNode> schemas() {
        Map<String, JsonNode> named = new TreeMap<>();
        root.at("/components/schemas")
                .propertyStream()
                .forEach(schema -> named.put(schema.getKey(), schema.getValue()));
        return named;
    }

    /** The types of problems that the document knows, without what all begin with. */
    List<String> problemTypes() {
        return root.at("/components/schemas/Problem/properties/type/enum")
                .valueStream()
                .map(type -> type.asString().substring(type.asString().lastIndexOf(':') + 1))
                .toList();
    }

    /** What a reference leads to; anything else is itself. */
    JsonNode resolved(JsonNode node) {
        JsonNode reference = node.get("$ref");
        if (reference == null) {
            return node;
        }
        JsonNode target = root.at(reference.asString().substring(1));
        if (target.isMissingNode()) {
            throw new AssertionError("nothing is at " + reference.asString());
        }
        return target;
    }

    /** What a value has that its schema refuses; empty if nothing. */
    List<String> faults(JsonNode schema, JsonNode value) {
        return compiled.computeIfAbsent(schema, this::compile).validate(value).stream()
                .map(Object::toString)
                .toList();
    }

    private Schema compile(JsonNode schema) {
        String reference = schema.path("$ref").asString("");
        return reference.isEmpty() ? schemas.getSchema(schema) : schemas.getSchema(SchemaLocation.of(ID + reference));
    }

    /** The schema of what is answered with that status and type of media; null if there is no such answer. */
    @Nullable
    JsonNode answer(Call call, int status, String mediaType) {
        JsonNode response = call.responses().get(String.valueOf(status));
        return response == null
                ? null
                : resolved(response).path("content").path(mediaType).get("schema");
    }
}
