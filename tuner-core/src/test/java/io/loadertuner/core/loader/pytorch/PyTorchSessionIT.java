package io.loadertuner.core.loader.pytorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.dataset.TrainingStep;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.RoundMeasurement;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The real {@code DataLoader} in real processes, through the same calls as the tuner makes. */
@Execution(ExecutionMode.CONCURRENT)
class PyTorchSessionIT {
    private static final Path PYTHON = Path.of(System.getProperty("loader-tuner.test.python"));
    private static final String USER_CODE =
            Path.of("src/test/python/user_code").toAbsolutePath().toString();

    /** Torch looks for dead workers every five seconds; the limits lie far beyond that, on a busy machine too. */
    private static final TimeLimits LIMITS = new TimeLimits(
            Duration.ofSeconds(60),
            Duration.ofSeconds(40),
            Duration.ofSeconds(40),
            Duration.ofSeconds(60),
            Duration.ofSeconds(10));

    /** Where nothing is waited for but a hang. */
    private static final TimeLimits IMPATIENT = new TimeLimits(
            LIMITS.open(), Duration.ofSeconds(4), Duration.ofSeconds(4), LIMITS.round(), LIMITS.teardown());

    private static final LoaderConfig NO_WORKERS = LoaderConfig.of(0, 2, false, 8, true, null);
    private static final LoaderConfig TWO_WORKERS = LoaderConfig.of(2, 2, false, 8, true, null);
    private static final RoundPlan SHORT_WITHOUT_WORKERS = new RoundPlan(1, 0.05, 0.2, 1, 2, 5);
    private static final RoundPlan SHORT_WITH_TWO = new RoundPlan(2, 0.05, 0.2, 2, 2, 5);

    @TempDir
    Path folder;

    private final MarkedProcesses processes = new MarkedProcesses();

    @AfterEach
    void nothingIsLeft() {
        assertThat(processes.alive()).isEmpty();
    }

    @Test
    void aRoundIsAlignedToItsWorkersAndKnowsWhatItCost() throws Exception {
        try (LoaderSession session = open("known:sleeping", Map.of("milliseconds", 2))) {
            LoaderFacts facts = session.check(8);
            RoundMeasurement round =
                    session.measure(TWO_WORKERS, SHORT_WITH_TWO, false).measurement();

            assertThat(facts.device()).isEqualTo("cpu");
            assertThat(facts.length()).isEqualTo(4096);
            assertThat(facts.sampleBytes()).isEqualTo(4 * Float.BYTES);
            assertThat(facts.batchBytes()).isEqualTo(8 * 4 * Float.BYTES);
            assertThat(round.window().isAlignedTo(2)).isTrue();
            assertThat(round.window().samples())
                    .isEqualTo(8L * (round.window().last() - round.window().first()));
            // Two workers that sleep 2 ms a sample cannot deliver more than 1,000 samples a second.
            assertThat(round.window().samplesPerSecond()).isBetween(100.0, 1_100.0);
            assertThat(round.memoryBytes()).isGreaterThan(50L << 20);
            assertThat(round.startMethod()).isEqualTo("fork");
            assertThat(round.shutdownSeconds()).isNotNull();
            assertThat(round.warning()).isNull();
        }
    }

    @Test
    void aStepIsPartOfWhatIsMeasured() throws Exception {
        TrainingStep step = new TrainingStep(20.0, null, null);
        try (LoaderSession session = open(python("known:in_memory", Map.of()), step)) {
            double alone = session.stepAlone(NO_WORKERS);
            double with = session.measure(NO_WORKERS, SHORT_WITHOUT_WORKERS, true)
                    .measurement()
                    .window()
                    .samplesPerSecond();
            double without = session.measure(NO_WORKERS, SHORT_WITHOUT_WORKERS, false)
                    .measurement()
                    .window()
                    .samplesPerSecond();

            // 8 samples in at least 20 ms are at most 400 a second; without the step it is thousands.
            assertThat(alone).isBetween(100.0, 400.0);
            assertThat(with).isBetween(100.0, 400.0);
            assertThat(without).isGreaterThan(1_200.0);
        }
    }

    @Test
    void aStepOfTheUsersOwnIsFoundForAnySource() throws Exception {
        TrainingStep step = new TrainingStep(null, "wild:step", Map.of("milliseconds", 20));
        try (LoaderSession session = open(new Source.Synthetic(1000, null, 0, 0, 0), step)) {
            // 8 samples in at least 20 ms are at most 400 a second.
            assertThat(session.stepAlone(NO_WORKERS)).isBetween(100.0, 400.0);
        }
    }

    @Test
    void aStartMethodIsAMatterOfWorkers() throws Exception {
        LoaderConfig spawned = LoaderConfig.of(2, 2, false, 8, true, "spawn");
        LoaderConfig alone = LoaderConfig.of(0, 2, false, 8, true, "spawn");
        try (LoaderSession session = open(new Source.Synthetic(1000, null, 1, 0, 0), null)) {
            assertThat(session.measure(spawned, SHORT_WITH_TWO, false)
                            .measurement()
                            .startMethod())
                    .isEqualTo("spawn");
            assertThat(session.measure(alone, SHORT_WITHOUT_WORKERS, false)
                            .measurement()
                            .window()
                            .samples())
                    .isPositive();
        }
    }

    @Test
    void anExceptionInTheDatasetKeepsItsTypeMessageAndPlace() throws Exception {
        for (LoaderConfig config : List.of(NO_WORKERS, TWO_WORKERS)) {
            TrialFailure failure = failureOf("value_error", config);

            assertThat(failure.reason()).isEqualTo(FailureReason.DATASET_ERROR);
            assertThat(failure.message()).contains("is broken");
            assertThat(failure.details().get("exception")).asString().contains("ValueError");
            assertThat(failure.details().get("frame")).asString().contains("wild.py");
            assertThat(failure.details().get("traceback")).asString().contains("__getitem__");
            assertThat(failure.advice()).isNotBlank();
        }
    }

    @Test
    void samplesOfDifferentShapesAreACollateError() throws Exception {
        assertThat(failureOf("shapes", NO_WORKERS).reason()).isEqualTo(FailureReason.COLLATE_ERROR);
        assertThat(failureOf("shapes", TWO_WORKERS).reason()).isEqualTo(FailureReason.COLLATE_ERROR);
    }

    @Test
    void aKilledWorkerIsNamedWithItsSignal() throws Exception {
        TrialFailure withWorkers = failureOf("sigkill", TWO_WORKERS);
        TrialFailure without = failureOf("sigkill", NO_WORKERS);

        assertThat(withWorkers.reason()).isEqualTo(FailureReason.WORKER_CRASHED);
        assertThat(withWorkers.details()).containsEntry("signal", "SIGKILL");
        assertThat(without.reason()).isEqualTo(FailureReason.WORKER_CRASHED);
        assertThat(without.details()).containsEntry("signal", "SIGKILL");
    }

    @Test
    void aProcessThatLeavesQuietlyIsAFailure() throws Exception {
        TrialFailure failure = failureOf("os_exit", NO_WORKERS);

        assertThat(failure.reason()).isEqualTo(FailureReason.WORKER_CRASHED);
        assertThat(failure.details()).containsEntry("exit_code", 3);
    }

    @Test
    void aHangIsEndedAndShowsTheStackOfEveryWorker() throws Exception {
        for (LoaderConfig config : List.of(TWO_WORKERS, NO_WORKERS)) {
            Path notes = Files.createDirectories(folder.resolve("hang-" + config.numWorkers()));
            try (LoaderSession session = openImpatiently("wild:hanging", Map.of("folder", notes.toString()))) {
                TrialFailure failure = failure(session, config);

                assertThat(failure.reason()).isEqualTo(FailureReason.TIMED_OUT);
                assertThat(failure.message()).contains("4.0 s").contains("first batch");
                List<String> stuck = stacks(failure).stream()
                        .filter(stack -> stack.stack().contains("wait_for_ever"))
                        .map(ProbeMessages.ProcessStack::role)
                        .toList();
                assertThat(stuck).isEqualTo(config.numWorkers() == 0 ? List.of("probe") : List.of("worker", "worker"));
                assertThat(processes.alive())
                        .allSatisfy(process -> assertThat(process.pid()).isNotIn(pidsNotedIn(notes)));
            }
        }
    }

    @Test
    void aWorkerThatLeftItsSessionIsEndedToo() throws Exception {
        try (LoaderSession session =
                openImpatiently("wild:hanging", Map.of("folder", folder.toString(), "own_session", true))) {
            assertThat(failure(session, TWO_WORKERS).reason()).isEqualTo(FailureReason.TIMED_OUT);
            assertThat(pidsNotedIn(folder))
                    .hasSize(2)
                    .noneMatch(pid ->
                            ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent());
        }
    }

    @Test
    void aSessionGoesOnAfterAFailure() throws Exception {
        Path script = Files.writeString(folder.resolve("script"), "sigkill");
        try (LoaderSession session = open("wild:wild", Map.of("script", script.toString()))) {
            TrialFailure crash = failure(session, TWO_WORKERS);
            assertThat(crash.reason()).as("%s", crash).isEqualTo(FailureReason.WORKER_CRASHED);
            Files.writeString(script, "nothing");

            assertThat(session.measure(TWO_WORKERS, SHORT_WITH_TWO, false)
                            .measurement()
                            .window()
                            .samples())
                    .isPositive();
        }
    }

    @Test
    void whatUserCodePrintsNeverReachesTheProtocol() throws Exception {
        Path script = Files.writeString(folder.resolve("script"), "prints");
        try (LoaderSession session = open("wild:wild", Map.of("script", script.toString()))) {
            assertThat(session.measure(NO_WORKERS, SHORT_WITHOUT_WORKERS, false)
                            .measurement()
                            .window()
                            .samples())
                    .isPositive();
            assertThat(session.measure(TWO_WORKERS, SHORT_WITH_TWO, false)
                            .measurement()
                            .window()
                            .samples())
                    .isPositive();
        }
    }

    @Test
    void theWarmProcessNeverOpensWhatSamplesOpenLazily() throws Exception {
        Path database = folder.resolve("samples.sqlite");
        run(
                PYTHON.toString(),
                "-c",
                "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('create table samples (id integer primary key, value real)'); c.executemany('insert into samples values (?, ?)', [(i, i / 2) for i in range(32)]); c.commit()",
                database.toString());
        Path notes = Files.createDirectory(folder.resolve("notes"));
        try (LoaderSession session =
                open("wild:rows", Map.of("path", database.toString(), "notes", notes.toString()))) {
            session.check(8);
            session.measure(NO_WORKERS, SHORT_WITHOUT_WORKERS, false);
            List<Long> withoutWorkers = pidsNotedIn(notes);
            session.measure(TWO_WORKERS, SHORT_WITH_TWO, false);

            // One process read samples itself. The two others that did are workers, gone by now, and not the process
            // that forked them, which lives on.
            assertThat(withoutWorkers).hasSize(1);
            assertThat(pidsNotedIn(notes)).hasSize(3);
            assertThat(pidsNotedIn(notes).stream().filter(pid -> isAlive(pid)).toList())
                    .isEqualTo(withoutWorkers);
        }
    }

    @Test
    void aFactoryThatCannotBeImportedIsAnImportError() {
        TrialFailure failure = openingFailure(python("no_such_module:make", Map.of()), PYTHON);

        assertThat(failure.reason()).isEqualTo(FailureReason.IMPORT_ERROR);
        assertThat(failure.message()).contains("no_such_module");
    }

    @Test
    void aDatasetWithoutSamplesOrWithLessThanABatchIsRefusedWithBothNumbers() throws Exception {
        for (int samples : List.of(0, 5)) {
            try (LoaderSession session = open("wild:plain", Map.of("samples", samples))) {
                TrialFailure failure = catchThrowableOfType(TrialFailedException.class, () -> session.check(8))
                        .failure();

                assertThat(failure.reason()).isEqualTo(FailureReason.DATASET_ERROR);
                assertThat(failure.message()).contains(String.valueOf(samples));
                if (samples > 0) {
                    assertThat(failure.message()).contains("8");
                }
            }
        }
    }

    @Test
    void anInterpreterWithoutTorchIsNamed() throws Exception {
        Path bare = folder.resolve("bare");
        run(PYTHON.toString(), "-m", "venv", "--without-pip", bare.toString());
        Path interpreter = bare.resolve("bin/python");

        TrialFailure failure = openingFailure(new Source.Synthetic(10, null, 0, 0, 0), interpreter);

        assertThat(failure.reason()).isEqualTo(FailureReason.ENVIRONMENT_ERROR);
        assertThat(failure.message()).contains(interpreter.toString()).contains("torch");
    }

    @Test
    void anInterpreterThatIsNoneIsNamed() throws Exception {
        Path text = Files.writeString(folder.resolve("python"), "not a program");

        TrialFailure failure = openingFailure(new Source.Synthetic(10, null, 0, 0, 0), text);

        assertThat(failure.reason()).isEqualTo(FailureReason.ENVIRONMENT_ERROR);
        assertThat(failure.message()).contains(text.toString());
    }

    @Test
    void childProcessesGetNoEnvironmentButWhatIsListed() throws Exception {
        Map<String, String> own = Map.of(
                "PATH",
                "/bin",
                "HOME",
                "/home/me",
                "CUDA_VISIBLE_DEVICES",
                "0",
                "AWS_SECRET_ACCESS_KEY",
                "secret",
                "DATA_TOKEN",
                "listed");

        assertThat(ChildEnvironment.of(own, Set.of("DATA_TOKEN")))
                .containsOnlyKeys("PATH", "HOME", "CUDA_VISIBLE_DEVICES", "DATA_TOKEN");
    }

    private TrialFailure failureOf(String misfortune, LoaderConfig config) throws Exception {
        Path script = Files.writeString(folder.resolve("script"), misfortune);
        try (LoaderSession session = open("wild:wild", Map.of("script", script.toString()))) {
            return failure(session, config);
        }
    }

    private static TrialFailure failure(LoaderSession session, LoaderConfig config) {
        RoundPlan plan = config.numWorkers() == 0 ? SHORT_WITHOUT_WORKERS : SHORT_WITH_TWO;
        return catchThrowableOfType(TrialFailedException.class, () -> session.measure(config, plan, false))
                .failure();
    }

    private TrialFailure openingFailure(Source source, Path interpreter) {
        return catchThrowableOfType(
                        TrialFailedException.class,
                        () -> loader(interpreter)
                                .open(descriptor(source, null), 7)
                                .close())
                .failure();
    }

    private LoaderSession open(String factory, Map<String, Object> arguments) throws Exception {
        return open(python(factory, arguments), null);
    }

    private LoaderSession openImpatiently(String factory, Map<String, Object> arguments) throws Exception {
        return loader(PYTHON, IMPATIENT).open(descriptor(python(factory, arguments), null), 7);
    }

    private LoaderSession open(Source source, @Nullable TrainingStep step) throws Exception {
        return loader(PYTHON).open(descriptor(source, step), 7);
    }

    private PyTorchLoader loader(Path interpreter) {
        return loader(interpreter, LIMITS);
    }

    private PyTorchLoader loader(Path interpreter, TimeLimits limits) {
        PythonInterpreters interpreters =
                new PythonInterpreters(Map.of(Source.Python.DEFAULT_ENVIRONMENT, interpreter), Map.of());
        return new PyTorchLoader(
                interpreters,
                limits,
                processes.environment(),
                Set.of(MarkedProcesses.VARIABLE),
                AllowedRoots.unrestricted(Path.of(USER_CODE)));
    }

    private static Source python(String factory, Map<String, Object> arguments) {
        return new Source.Python(factory, arguments, List.of(USER_CODE), null);
    }

    private static DatasetDescriptor descriptor(Source source, @Nullable TrainingStep step) {
        return new DatasetDescriptor("test", "", DatasetDescriptor.PYTORCH, source, step, 1);
    }

    @SuppressWarnings("unchecked")
    private static List<ProbeMessages.ProcessStack> stacks(TrialFailure failure) {
        return (List<ProbeMessages.ProcessStack>)
                java.util.Objects.requireNonNull(failure.details().get("stacks"));
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    private static List<Long> pidsNotedIn(Path notes) throws IOException {
        try (Stream<Path> files = Files.list(notes)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.matches("\\d+"))
                    .map(Long::parseLong)
                    .toList();
        }
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).isZero();
    }
}
