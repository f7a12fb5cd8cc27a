package io.loadertuner.service.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** What the operator may set. */
class SettingsTest {
    @TempDir
    Path folder;

    @Test
    void withoutPropertiesThereAreDefaults() {
        TunerProperties properties = bind(Map.of());

        assertThat(properties.homeFolder()).isEqualTo(Path.of(System.getProperty("user.home"), ".loader-tuner"));
        assertThat(properties.measuringLockFile()).isEqualTo(Path.of("/tmp/loader-tuner.lock"));
        assertThat(properties.environments()).isEmpty();
        assertThat(properties.dataRoots()).isEmpty();
        assertThat(properties.codeRoots()).isEmpty();
        assertThat(properties.staleAfter()).isEqualTo(Duration.ofDays(30));
        assertThat(properties.keptBatchTimes()).isEqualTo(Duration.ofDays(90));
        assertThat(properties.keptTrials()).isNull();
        assertThat(properties.limits().timeLimits().batch()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void everyPropertyCanBeSet() {
        TunerProperties properties = bind(Map.of(
                "loader-tuner.home", "/srv/tuner",
                "loader-tuner.python.environments.torch-2", "/opt/torch/bin/python",
                "loader-tuner.python.passed-environment", "HF_HOME,MY_DATA",
                "loader-tuner.data-roots", "/data,/more",
                "loader-tuner.code-roots[0]", "/code",
                "loader-tuner.limits.open", "5m",
                "loader-tuner.machine-type", "lab",
                "loader-tuner.measuring-lock", "/run/lock/tuner"));

        assertThat(properties.homeFolder()).isEqualTo(Path.of("/srv/tuner"));
        assertThat(properties.environments()).containsExactly(Map.entry("torch-2", "/opt/torch/bin/python"));
        assertThat(properties.passedEnvironment()).containsExactlyInAnyOrder("HF_HOME", "MY_DATA");
        assertThat(properties.dataRoots()).containsExactly("/data", "/more");
        assertThat(properties.codeRoots()).containsExactly("/code");
        assertThat(properties.limits().open()).isEqualTo(Duration.ofMinutes(5));
        assertThat(properties.machineType()).isEqualTo("lab");
        assertThat(properties.measuringLockFile()).isEqualTo(Path.of("/run/lock/tuner"));
    }

    @ParameterizedTest
    @CsvSource({
        "machine-type, a b, a machine type is 1 to 64 letters",
        "recommendations.stale-after, 0s, loader-tuner.recommendations.stale-after must be above 0",
        "retention.batch-times, -1d, loader-tuner.retention.batch-times must be above 0",
        "retention.trials, 0d, loader-tuner.retention.trials must be above 0",
        "limits.batch, 0s, loader-tuner.limits.batch must be above 0",
        "limits.round, 25h, loader-tuner.limits.round must be above 0 and at most a day",
        "home, ' ', loader-tuner.home must name a file or folder",
    })
    void whatCannotBeUsedIsNamed(String property, String value, String message) {
        assertThatThrownBy(() -> bind(Map.of("loader-tuner." + property, value)))
                .isInstanceOf(BindException.class)
                .rootCause()
                .hasMessageContaining(message);
    }

    @Test
    void aHomeThatCannotBeMadeIsNamed() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        for (Path home : List.of(file, file.resolve("below"))) {
            UnusableSettingException refused =
                    catchThrowableOfType(UnusableSettingException.class, () -> Home.at(home));

            assertThat(refused).hasMessageContaining(home.toString());
            assertThat(refused.remedy()).startsWith("Set loader-tuner.home to a folder");
        }
    }

    @Test
    void aHomeWithASemicolonCannotHoldTheEmbeddedDatabase() {
        Home home = Home.at(folder.resolve("a;b"));

        assertThatThrownBy(home::databaseUrl)
                .isInstanceOf(UnusableSettingException.class)
                .hasMessageContaining("semicolon");
    }

    private static TunerProperties bind(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("loader-tuner", TunerProperties.class);
    }
}
