package io.loadertuner.service.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.loadertuner.service.security.SecurityProperties;
import io.loadertuner.service.settings.TunerProperties;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.SystemEnvironmentPropertySource;
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
        assertThat(at(spec, "strategy")).containsEntry("type", "Recreate");
        Map<String, Object> container = container(objects);
        assertThat(container).containsEntry("image", "loader-tuner:0.1.0-SNAPSHOT");
        assertThat(environment(container))
                .containsEntry("SERVER_ADDRESS", "0.0.0.0")
                .containsEntry("LOADERTUNER_DATAROOTS", "/data")
                .containsKey("LOADERTUNER_SECURITY_OPERATORTOKEN")
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
        Map<String, Object> container = container(objects);
        assertThat(container).containsEntry("image", "registry.example.org/loader-tuner:7");
        assertThat(environment(container))
                .containsEntry("SPRING_DATASOURCE_URL", "jdbc:postgresql://db.example.org/tuner")
                .containsEntry("SPRING_DATASOURCE_PASSWORD", "secret database: pass")
                .containsEntry("LOADERTUNER_MACHINETYPE", "a100-node")
                .containsEntry("LOADERTUNER_CODEROOTS", "/code,/more-code")
                .containsEntry("SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_ISSUERURI", "https://issuer.example.org/")
                .containsEntry("LOADER_TUNER_PYTHON", "/opt/venv/bin/python");
        TunerProperties bound = bound(container, "loader-tuner", TunerProperties.class);
        assertThat(bound.homeFolder()).isEqualTo(Path.of("/var/lib/loader-tuner"));
        assertThat(bound.machineType()).isEqualTo("a100-node");
        assertThat(bound.dataRoots()).containsExactly("/data", "/more");
        assertThat(bound.codeRoots()).containsExactly("/code", "/more-code");
        SecurityProperties security = bound(container, "loader-tuner.security", SecurityProperties.class);
        assertThat(security.operatorToken()).isEqualTo("lt_" + "x".repeat(32));
        assertThat(security.rolesClaim()).isEqualTo("groups");
        assertThat(new Yaml().dump(objects))
                .contains("nodeSelector: {gpu: a100}", "sizeLimit: 8Gi", "secretName: certificate", "nvidia.com/gpu: 1")
                .contains("terminationGracePeriodSeconds: 90", "operator: Exists", "serviceAccountName: tuner")
                .contains("example.org/team: training", "ingressClassName: nginx", "interval: 15s", "claimName: data");
        Map<String, Object> rule =
                list(at(objects.get("Ingress"), "spec"), "rules").get(0);
        assertThat(rule).containsEntry("host", "tuner.example.org");
        Map<String, Object> endpoint =
                list(at(objects.get("ServiceMonitor"), "spec"), "endpoints").get(0);
        assertThat(endpoint).containsEntry("path", "/actuator/prometheus");
    }

    @Test
    void replicasShareADatabaseAndEachHasANodeOfItsOwn() {
        Map<String, Object> spec = at(
                rendered(
                                LEAST,
                                "replicas=3",
                                "database.kind=postgresql",
                                "database.postgresql.url=jdbc:postgresql://db/tuner",
                                "database.postgresql.existingSecret=db")
                        .get("Deployment"),
                "spec");

        assertThat(spec.get("replicas")).isEqualTo(3);
        assertThat(at(spec, "strategy")).containsEntry("type", "RollingUpdate");
        Map<String, Object> pod = at(at(spec, "template"), "spec");
        Map<String, Object> apart = list(
                        at(at(pod, "affinity"), "podAntiAffinity"), "requiredDuringSchedulingIgnoredDuringExecution")
                .get(0);
        assertThat(apart).containsEntry("topologyKey", "kubernetes.io/hostname");
        assertThat(at(at(apart, "labelSelector"), "matchLabels")).isEqualTo(at(at(spec, "selector"), "matchLabels"));
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
                LEAST + ",serviceMonitor.enabled=true                        | serviceMonitor.existingSecret",
                LEAST + ",database.kind=mysql                                | kind",
                LEAST + ",database.kind=postgresql                           | database.postgresql.url",
                LEAST + ",replicas=2                                         | replicas",
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

    /** What the service makes of the container's variables; of a secret, something that could be in it. */
    private static <T> T bound(Map<String, Object> container, String prefix, Class<T> type) {
        Map<String, Object> variables = new HashMap<>();
        environment(container)
                .forEach((name, value) ->
                        variables.put(name, value.startsWith("secret ") ? "lt_" + "x".repeat(32) : value));
        return new Binder(ConfigurationPropertySources.from(
                        new SystemEnvironmentPropertySource("systemEnvironment", variables)))
                .bind(prefix, type)
                .get();
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
