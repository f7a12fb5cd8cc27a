package io.loadertuner.core.loader.pytorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.dataset.TrainingStep;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.measure.RoundPlan;
import io.loadertuner.core.space.LoaderConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of the real {@code DataLoader} in real processes, none of which outlives its test. */
abstract class SessionTests {
    static final Path PYTHON = Path.of(System.getProperty("loader-tuner.test.python"));
    static final String USER_CODE =
            Path.of("src/test/python/user_code").toAbsolutePath().toString();

    /** Torch looks for dead workers every five seconds; the limits lie far beyond that, on a busy machine too. */
    static final TimeLimits LIMITS = new TimeLimits(
            Duration.ofSeconds(60),
            Duration.ofSeconds(40),
            Duration.ofSeconds(40),
            Duration.ofSeconds(60),
            Duration.ofSeconds(10));

    /** Where nothing is waited for but a hang. */
    static final TimeLimits IMPATIENT = new TimeLimits(
            LIMITS.open(), Duration.ofSeconds(4), Duration.ofSeconds(4), LIMITS.round(), LIMITS.teardown());

    static final LoaderConfig NO_WORKERS = LoaderConfig.of(0, 2, false, 8, true, null);
    static final LoaderConfig TWO_WORKERS = LoaderConfig.of(2, 2, false, 8, true, null);
    static final RoundPlan SHORT_WITHOUT_WORKERS = new RoundPlan(1, 0.05, 0.2, 1, 2, 5);
    static final RoundPlan SHORT_WITH_TWO = new RoundPlan(2, 0.05, 0.2, 2, 2, 5);

    @TempDir
    Path folder;

    final MarkedProcesses processes = new MarkedProcesses();

    @AfterEach
    void nothingIsLeft() {
        assertThat(processes.alive()).isEmpty();
    }

    static TrialFailure failure(LoaderSession session, LoaderConfig config) {
        RoundPlan plan = config.numWorkers() == 0 ? SHORT_WITHOUT_WORKERS : SHORT_WITH_TWO;
        return catchThrowableOfType(TrialFailedException.class, () -> session.measure(config, plan, false))
                .failure();
    }

    LoaderSession open(String factory, Map<String, Object> arguments) throws Exception {
        return open(python(factory, arguments), null);
    }

    LoaderSession open(Source source, @Nullable TrainingStep step) throws Exception {
        return loader(PYTHON).open(descriptor(source, step), 7);
    }

    PyTorchLoader loader(Path interpreter) {
        return loader(interpreter, LIMITS);
    }

    PyTorchLoader loader(Path interpreter, TimeLimits limits) {
        PythonInterpreters interpreters =
                new PythonInterpreters(Map.of(Source.Python.DEFAULT_ENVIRONMENT, interpreter), Map.of());
        return new PyTorchLoader(
                interpreters,
                limits,
                processes.environment(),
                Set.of(MarkedProcesses.VARIABLE),
                AllowedRoots.unrestricted(Path.of(USER_CODE)));
    }

    static Source python(String factory, Map<String, Object> arguments) {
        return new Source.Python(factory, arguments, List.of(USER_CODE), null);
    }

    static DatasetDescriptor descriptor(Source source, @Nullable TrainingStep step) {
        return new DatasetDescriptor("test", "", DatasetDescriptor.PYTORCH, source, step, 1);
    }

    static List<Long> pidsNotedIn(Path notes) throws IOException {
        try (Stream<Path> files = Files.list(notes)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.matches("\\d+"))
                    .map(Long::parseLong)
                    .toList();
        }
    }

    static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).isZero();
    }
}
