package io.loadertuner.service.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.ServiceCalls.Answer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;

/** What the service writes down for pasting is pasted: into Python, a shell and a YAML parser. */
class SnippetsIT {
    private static final String SNIPPET = "/api/v1/recommendations/snippet?dataset=pasted&format=";

    /** Says which arguments the calls in a snippet give, by their names, and which of them their callee does not know. */
    private static final String READ = """
            import ast, importlib, importlib.util, inspect, pathlib
            tree = ast.parse(pathlib.Path("snippet").read_text())
            owners = {name.name: node.module for node in tree.body if isinstance(node, ast.ImportFrom) for name in node.names}
            given, unknown = {}, []
            for call in ast.walk(tree):
                name = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else None
                if name not in owners:
                    continue
                keywords = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords
                            if not isinstance(keyword.value, ast.Call)}
                given[name] = keywords
                if importlib.util.find_spec(owners[name].partition(".")[0]) is not None:
                    callee = getattr(importlib.import_module(owners[name]), name)
                    unknown += sorted(set(keywords) - set(inspect.signature(callee).parameters))
            print(json.dumps([given, unknown]))
            """;

    @TempDir
    static Path home;

    @TempDir
    Path folder;

    private static RunningService service;
    private static JsonNode config;

    @BeforeAll
    static void start() {
        service = RunningService.start(home, new InstantLoader());
        String id = service.post(RunningService.descriptor("pasted"));
        config = service.awaitState(id, "completed")
                .body()
                .path("recommendation")
                .path("config");
        assertThat(config.path("num_workers").asInt()).isPositive();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void aLoaderIsBuiltAsRecommended() throws Exception {
        paste("pytorch");

        JsonNode loader = python("""
                dataset = list(range(1000))
                exec(compile(open("snippet").read(), "snippet", "exec"))
                assert len(next(iter(loader))) == loader.batch_size
                print(json.dumps({name: getattr(loader, name) for name in (
                    "batch_size", "num_workers", "prefetch_factor", "persistent_workers", "pin_memory")}))
                """);

        loader.properties()
                .forEach(setting ->
                        assertThat(setting.getValue()).as(setting.getKey()).isEqualTo(config.path(setting.getKey())));
    }

    @ParameterizedTest
    @CsvSource({
        "pytorch,DataLoader,''",
        "lightning,DataLoader,''",
        "accelerate,DataLoader,''",
        "transformers,TrainingArguments,dataloader_"
    })
    void everyArgumentHasItsNameAndValue(String format, String callee, String prefix) throws Exception {
        paste(format);

        JsonNode read = python(READ);

        JsonNode given = read.get(0).path(callee);
        for (String setting : new String[] {"num_workers", "prefetch_factor", "persistent_workers", "pin_memory"}) {
            assertThat(given.path(prefix + setting)).as(setting).isEqualTo(config.path(setting));
        }
        assertThat(given.path(prefix.isEmpty() ? "batch_size" : "per_device_train_batch_size"))
                .isEqualTo(config.path("batch_size"));
        assertThat(read.get(1)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lightning", "accelerate", "transformers"})
    void whereThePackageIsThereTheSnippetRuns(String format) throws Exception {
        assumeTrue(
                python("import importlib.util\nprint(json.dumps(importlib.util.find_spec('" + format
                                + "') is not None))")
                        .asBoolean(),
                format + " is not installed beside the tests' torch");
        paste(format);

        JsonNode made = python("""
                dataset = list(range(1000))
                names = {"dataset": dataset}
                exec(compile(open("snippet").read(), "snippet", "exec"), names)
                loader = names["TunedData"](dataset).train_dataloader() if "TunedData" in names else names.get("loader")
                workers = loader.num_workers if loader else names["arguments"].dataloader_num_workers
                print(json.dumps(workers))
                """);

        assertThat(made).isEqualTo(config.path("num_workers"));
    }

    @Test
    void aShellReadsTheVariables() throws Exception {
        Path file = paste("env");

        Process shell = new ProcessBuilder(
                        "sh", "-euc", ". \"$1\"; printf %s \"$DATALOADER_NUM_WORKERS\"", "sh", file.toString())
                .start();

        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(config.path("num_workers").asString());
        assertThat(shell.waitFor()).isZero();
    }

    @Test
    void yamlIsYaml() throws Exception {
        Map<String, Object> read = new Yaml().load(Files.readString(paste("yaml")));

        assertThat(read)
                .containsEntry("num_workers", config.path("num_workers").asInt())
                .containsEntry("batch_size", config.path("batch_size").asInt())
                .containsEntry("pin_memory", config.path("pin_memory").asBoolean());
    }

    @Test
    void aFormatThatIsNoneIsRefused() {
        Answer refused = service.calls().get(SNIPPET + "toml");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("detail"))
                .contains("format", "pytorch, lightning, transformers, accelerate, env, yaml");
    }

    private Path paste(String format) throws Exception {
        Answer answer = service.calls().get(SNIPPET + format);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.contentType()).isEqualTo("text/plain;charset=UTF-8");
        assertThat(answer.raw().body()).startsWith("# pasted on test-machine: ");
        return Files.writeString(folder.resolve("snippet"), answer.raw().body());
    }

    private JsonNode python(String code) throws Exception {
        Files.writeString(
                folder.resolve("loader_tuner.py"),
                service.calls().get("/client/loader_tuner.py").raw().body());
        return new TrainingScript(folder).run("import os\nos.chdir(os.path.dirname(__file__))\n" + code, Map.of());
    }
}
