package io.loadertuner.service.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

/** The chart, rendered by Helm itself. */
class ChartTest {
    private static final Path CHART = Path.of("../helm").toAbsolutePath().normalize();
    private static final Path FULL =
            Path.of("src/test/resources/chart/full.yaml").toAbsolutePath();
    private static final String LEAST = "access.existingSecret=operator";

    @Test
    void theChartIsCleanToTheStrictestLint() {
        LintResult found = new Helm(CHART).lint().strict().call();

        assertThat(found.isFailed()).as("%s", found.getMessages()).isFalse();
    }

    @Test
    void theLeastThatIsNeededIsOneReplicaWithAVolume() {
        Map<String, Map<String, Object>> objects = rendered(LEAST);

        assertThat(objects).containsOnlyKeys("Deployment", "Service", "ServiceAccount", "PersistentVolumeClaim");
        Map<String, Object> spec = at(objects.get("Deployment"), "spec");
        assertThat(spec).containsEntry("replicas", 1);
        assertThat(at(spec, "strategy")).containsEntry("type", "Recreate");
        Map<String, Object> container = container(objects);
        assertThat(container).containsEntry("image", "loader-tuner:0.1.0-SNAPSHOT");
        assertThat(environment(container))
                .containsEntry("SERVER_ADDRESS", "0.0.0.0")
                .containsEntry("LOADER_TUNER_DATAROOTS", "/data")
                .containsKey("LOADER_TUNER_SECURITY_OPERATORTOKEN")
                .doesNotContainKey("SPRING_DATASOURCE_URL");
    }

    @Test
    void nothingRunsAsRootOrWritesToItsImage() {
        for (Map<String, Map<String, Object>> objects : List.of(rendered(LEAST), full())) {
            Map<String, Object> pod = at(at(at(objects.get("Deployment"), "spec"), "template"), "spec");
            assertThat(pod).containsEntry("automountServiceAccountToken", false);
            assertThat(at(pod, "securityContext")).containsEntry("runAsNonRoot", true);
            assertThat(at(container(objects), "securityContext"))
                    .containsEntry("readOnlyRootFilesystem", true)
                    .containsEntry("allowPrivilegeEscalation", false)
                    .containsEntry("capabilities", Map.of("drop", List.of("ALL")));
        }
    }

    @Test
    void everyValueIsUsed() {
        Map<String, Map<String, Object>> objects = full();

        assertThat(objects).containsOnlyKeys("Deployment", "Service", "Ingress", "ServiceMonitor");
        assertThat(at(objects.get("Deployment"), "spec")).containsEntry("replicas", 3);
        assertThat(at(at(objects.get("Deployment"), "spec"), "strategy")).containsEntry("type", "RollingUpdate");
        Map<String, Object> container = container(objects);
        assertThat(container).containsEntry("image", "registry.example.org/loader-tuner:7");
        assertThat(environment(container))
                .containsEntry("SPRING_DATASOURCE_URL", "jdbc:postgresql://db.example.org/tuner")
                .containsEntry("SPRING_DATASOURCE_PASSWORD", "secret database: pass")
                .containsEntry("LOADER_TUNER_MACHINETYPE", "a100-node")
                .containsEntry("LOADER_TUNER_CODEROOTS", "/code,/more-code")
                .containsEntry("SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_ISSUERURI", "https://issuer.example.org/")
                .containsEntry("LOADER_TUNER_PYTHON", "/opt/venv/bin/python");
        Map<String, Object> rule =
                list(at(objects.get("Ingress"), "spec"), "rules").get(0);
        assertThat(rule).containsEntry("host", "tuner.example.org");
        Map<String, Object> endpoint =
                list(at(objects.get("ServiceMonitor"), "spec"), "endpoints").get(0);
        assertThat(endpoint).containsEntry("path", "/actuator/prometheus");
    }

    @Test
    void theServiceFindsItsPods() {
        Map<String, Map<String, Object>> objects = rendered(LEAST);
        Map<String, Object> selector = at(at(objects.get("Service"), "spec"), "selector");

        assertThat(labels(at(at(objects.get("Deployment"), "spec"), "template")))
                .containsAllEntriesOf(selector);
        assertThat(at(at(at(objects.get("Deployment"), "spec"), "selector"), "matchLabels"))
                .isEqualTo(selector);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "service.port=81                                            | access.existingSecret",
                LEAST + ",replicas=2                                         | replicas",
                LEAST + ",replicas=0                                         | replicas",
                LEAST + ",database.kind=mysql                                | kind",
                LEAST + ",database.kind=postgresql                           | database.postgresql.url",
                LEAST + ",ingress.enabled=true                               | ingress.hosts",
                LEAST + ",replica=1                                          | replica",
                LEAST + ",sharedMemory=much                                  | sharedMemory",
            })
    void whatCannotRunIsRefusedWithItsName(String values, String named) {
        assertThatThrownBy(() -> rendered(values.strip().split(","))).hasMessageContaining(named);
    }

    private Map<String, Map<String, Object>> full() {
        return objects(new Helm(CHART).template().withName("tuner").withValuesFile(FULL));
    }

    private static Map<String, Map<String, Object>> rendered(String... values) {
        TemplateCommand template = new Helm(CHART).template().withName("tuner");
        for (String value : values) {
            template.set(value.substring(0, value.indexOf('=')), value.substring(value.indexOf('=') + 1));
        }
        return objects(template);
    }

    /** By their kinds, of which there is one each; a key that is there twice is refused. */
    @SuppressWarnings("unchecked")
    private static Map<String, Map<String, Object>> objects(TemplateCommand template) {
        LoaderOptions strict = new LoaderOptions();
        strict.setAllowDuplicateKeys(false);
        return StreamSupport.stream(new Yaml(strict).loadAll(template.call()).spliterator(), false)
                .filter(document -> document != null)
                .map(document -> (Map<String, Object>) document)
                .collect(Collectors.toMap(document -> (String) document.get("kind"), document -> document));
    }

    private static Map<String, Object> container(Map<String, Map<String, Object>> objects) {
        return list(at(at(at(objects.get("Deployment"), "spec"), "template"), "spec"), "containers")
                .get(0);
    }

    private static Map<String, String> environment(Map<String, Object> container) {
        return list(container, "env").stream()
                .collect(Collectors.toMap(variable -> (String) variable.get("name"), ChartTest::value));
    }

    private static String value(Map<String, Object> variable) {
        if (variable.containsKey("value")) {
            return (String) variable.get("value");
        }
        Map<String, Object> secret = at(at(variable, "valueFrom"), "secretKeyRef");
        return "secret " + secret.get("name") + ": " + secret.get("key");
    }

    private static Map<String, Object> labels(Map<String, Object> object) {
        return at(at(object, "metadata"), "labels");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> at(Map<String, Object> object, String key) {
        assertThat(object).containsKey(key);
        return (Map<String, Object>) object.get(key);
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> object, String key) {
        return (List<Map<String, Object>>) object.get(key);
    }
}
