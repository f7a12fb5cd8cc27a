package io.loadertuner.service.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import io.loadertuner.service.contract.Contract.Call;
import io.loadertuner.service.web.Problem;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The document of every call, against the service that runs. It is written by hand: what a test here names as missing or
 * different is to be changed in {@link Contract#FILE}, and problems in {@link #PROBLEMS} too.
 */
class ContractIT {
    private static final Path PROBLEMS = Path.of("..", "docs", "problems.md");
    private static final Pattern WORD = Pattern.compile("\"([a-z]+(?:-[a-z]+)*)\"");

    @TempDir
    static Path home;

    private static final Contract CONTRACT = Contract.read();
    private static RunningService service;
    private static Map<String, ServedCall> served;

    @BeforeAll
    static void start() {
        service = RunningService.start(home, new InstantLoader());
        service.calls().get("/actuator/health");
        served = ServedCall.of(service);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void whatIsServedIsWhatIsCheckedIn() {
        Answer answer = service.calls().get("/api/v1/openapi.json");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.contentType()).isEqualTo("application/json");
        assertThat(answer.raw().body()).isEqualTo(CONTRACT.text());
        assertThat(answer.text("openapi")).startsWith("3.1.");
    }

    @Test
    void everySchemaIsOne() {
        var metaSchema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));

        CONTRACT.schemas()
                .forEach((name, schema) ->
                        assertThat(metaSchema.validate(schema)).as(name).isEmpty());
        CONTRACT.calls()
                .forEach(call -> call.parameters()
                        .forEach(parameter -> assertThat(metaSchema.validate(parameter.schema()))
                                .as(call.name() + " " + parameter.name())
                                .isEmpty()));
    }

    @Test
    void everyReferenceLeadsSomewhereAndNothingIsUnused() {
        List<String> references = CONTRACT.root().findValuesAsString("$ref");
        references.addAll(CONTRACT.root()
                .at("/components/schemas/Source/discriminator/mapping")
                .valueStream()
                .map(JsonNode::asString)
                .toList());

        for (String reference : references) {
            assertThat(CONTRACT.root().at(reference.substring(1)).isMissingNode())
                    .as(reference)
                    .isFalse();
        }
        for (String kind : List.of("schemas", "parameters", "responses")) {
            CONTRACT.root()
                    .path("components")
                    .path(kind)
                    .propertyNames()
                    .forEach(name -> assertThat(references).contains("#/components/" + kind + "/" + name));
        }
    }

    @Test
    void everyCallThatIsServedIsDescribedAndTheOtherWayRound() {
        Set<String> described = CONTRACT.calls().stream().map(Call::name).collect(Collectors.toSet());

        assertThat(described).containsExactlyInAnyOrderElementsOf(served.keySet());
    }

    @Test
    void everyCallHasANameAndSaysWhatItDoes() {
        List<String> names = new ArrayList<>();
        for (Call call : CONTRACT.calls()) {
            names.add(call.operation().path("operationId").asString(""));
            assertThat(call.operation().path("summary").asString(""))
                    .as(call.name())
                    .isNotEmpty();
        }

        assertThat(names).doesNotHaveDuplicates().doesNotContain("");
    }

    @Test
    void everyParameterIsDescribedAndTheOtherWayRound() {
        for (Call call : ownCalls()) {
            Set<String> described = call.parameters().stream()
                    .map(parameter -> parameter.in() + " " + parameter.name() + (parameter.required() ? " needed" : ""))
                    .collect(Collectors.toCollection(TreeSet::new));
            // Answered by a filter for any call that has an ETag.
            described.remove("header If-None-Match");

            assertThat(described).as(call.name()).isEqualTo(served(call).parameters());
        }
    }

    @Test
    void everyBodyIsDescribedAndTheOtherWayRound() {
        List<String> differences = new ArrayList<>();
        for (Call call : ownCalls()) {
            Optional<Type> taken = served(call).body();
            assertThat(call.needsBody()).as(call.name()).isEqualTo(taken.isPresent());
            taken.ifPresent(type -> differences.addAll(
                    SchemaDifferences.of(CONTRACT, call.name(), call.body().orElseThrow(), type)));
        }

        assertThat(differences).isEmpty();
    }

    @Test
    void everyAnswerIsDescribedAndTheOtherWayRound() {
        List<String> differences = new ArrayList<>();
        int compared = 0;
        for (Call call : ownCalls()) {
            Type answered = served(call).answer();
            List<JsonNode> successes = call.responses()
                    .propertyStream()
                    .filter(response -> response.getKey().startsWith("2"))
                    .map(response -> response.getValue().at("/content/application~1json/schema"))
                    .filter(schema -> !schema.isMissingNode())
                    .toList();
            if (ServedCall.isJson(answered)) {
                assertThat(successes).as(call.name()).isNotEmpty();
                for (JsonNode schema : successes) {
                    differences.addAll(SchemaDifferences.of(CONTRACT, call.name(), schema, answered));
                    compared++;
                }
            }
        }

        assertThat(differences).isEmpty();
        assertThat(compared).isGreaterThan(10);
    }

    @Test
    void problemsAreDescribed() {
        assertThat(SchemaDifferences.of(
                        CONTRACT,
                        "Problem",
                        Objects.requireNonNull(CONTRACT.schemas().get("Problem")),
                        Problem.class))
                .isEmpty();
    }

    @Test
    void everyTypeOfProblemThatThereIsIsDescribedAndExplained() throws IOException {
        Set<String> made = new TreeSet<>();
        try (Stream<Path> sources = Files.walk(Path.of("src", "main", "java"))) {
            for (Path source :
                    sources.filter(file -> file.toString().endsWith(".java")).toList()) {
                made.addAll(problemTypes(Files.readString(source)));
            }
        }
        Set<String> explained = new TreeSet<>();
        Matcher row = Pattern.compile("(?m)^\\| `([a-z-]+)` \\|").matcher(Files.readString(PROBLEMS));
        while (row.find()) {
            explained.add(row.group(1));
        }

        assertThat(made).contains("not-found", "trial-not-failed", "bad-request", "internal-error");
        assertThat(CONTRACT.problemTypes()).containsExactlyInAnyOrderElementsOf(made);
        assertThat(explained).isEqualTo(made);
    }

    /** The words with hyphens, or alone, that stand where {@link Problem#of} takes a type, or what it takes one from. */
    private static Set<String> problemTypes(String source) {
        Set<String> types = new TreeSet<>();
        Matcher made = Pattern.compile("Problem\\.of\\((?s:.*?);|(?m)^ +[A-Z_]+\\(\"[a-z-]+\", \"[A-Z][^;]*;")
                .matcher(source);
        while (made.find()) {
            Matcher word = WORD.matcher(made.group());
            while (word.find()) {
                types.add(word.group(1));
            }
        }
        return types;
    }

    private static ServedCall served(Call call) {
        return Objects.requireNonNull(served.get(call.name()), call::name);
    }

    /** Those that are not Spring Boot's. */
    private static List<Call> ownCalls() {
        return CONTRACT.calls().stream()
                .filter(call -> !call.path().startsWith("/actuator/"))
                .toList();
    }
}
