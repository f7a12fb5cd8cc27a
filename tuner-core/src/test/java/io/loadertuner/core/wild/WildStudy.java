package io.loadertuner.core.wild;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.loader.pytorch.AllowedRoots;
import io.loadertuner.core.loader.pytorch.MarkedProcesses;
import io.loadertuner.core.loader.pytorch.PyTorchLoader;
import io.loadertuner.core.loader.pytorch.PythonInterpreters;
import io.loadertuner.core.loader.pytorch.TimeLimits;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.machine.MachineInspector;
import io.loadertuner.core.study.TrialState;
import io.loadertuner.core.tuning.MemoryJournal;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.core.tuning.TrialRecord;
import io.loadertuner.core.tuning.TrialReport;
import io.loadertuner.core.tuning.Tuner;
import io.loadertuner.core.tuning.TuningListener;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/**
 * A whole study with the real DataLoader, as the command line runs it, and what came of it.
 *
 * @param trials as answered, in the order of their numbers
 * @param records the same, as stored
 * @param left processes of the study that outlived it
 */
record WildStudy(StudyReport report, List<TrialReport> trials, List<TrialRecord> records, List<ProcessHandle> left) {
    static final Path PYTHON = Path.of(System.getProperty("loader-tuner.test.python"));
    private static final String USER_CODE =
            Path.of("src/test/python/user_code").toAbsolutePath().toString();

    /**
     * Makes of 200 s some six rounds. A round takes far less than its share of them, so that on a busy machine too the tuner
     * expects the next one to fit.
     */
    private static final double SECONDS_OF_A_READING = 6;

    /** Nothing but a hang is silent that long; torch looks for dead workers every five seconds. */
    static final TimeLimits LIMITS = new TimeLimits(
            Duration.ofSeconds(60),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(60),
            Duration.ofSeconds(20));

    /** @param json the body of a study request; a python source finds its module among the tests' user code */
    static WildStudy run(String json) throws InterruptedException {
        return run(json, TimeLimits.DEFAULT);
    }

    static WildStudy run(String json, TimeLimits limits) throws InterruptedException {
        return run(request(json), limits, PYTHON, WildStudy::machine, InstantSource.system());
    }

    /**
     * @param factory in the tests' user code
     * @param request JSON of the other fields of a study request
     */
    static WildStudy of(String factory, Map<String, Object> arguments, String request) throws InterruptedException {
        return of(factory, arguments, request, WildStudy::machine);
    }

    /**
     * @param machine what the tuner is told of the machine
     */
    static WildStudy of(String factory, Map<String, Object> arguments, String request, Supplier<Machine> machine)
            throws InterruptedException {
        return run(
                request(body(factory, arguments, request)),
                TimeLimits.DEFAULT,
                PYTHON,
                machine,
                InstantSource.system());
    }

    private static String body(String factory, Map<String, Object> arguments, String request) {
        ObjectNode body = (ObjectNode) TunerJson.mapper().readTree(request);
        body.put("name", "wild").set("source", TunerJson.mapper().valueToTree(source(factory, arguments)));
        return body.toString();
    }

    /**
     * A study that measures as many rounds on a busy machine as on an idle one.
     *
     * @param factory in the tests' user code
     * @param request JSON of the other fields of a study request
     */
    static WildStudy unhurried(String factory, Map<String, Object> arguments, String request)
            throws InterruptedException {
        return unhurried(factory, arguments, request, TuningListener.NONE);
    }

    /**
     * The same.
     *
     * @param listener is told how the study goes on
     */
    static WildStudy unhurried(String factory, Map<String, Object> arguments, String request, TuningListener listener)
            throws InterruptedException {
        return run(
                request(body(factory, arguments, request)),
                LIMITS,
                PYTHON,
                WildStudy::machine,
                eachReadingTakes(SECONDS_OF_A_READING),
                listener);
    }

    /**
     * The same.
     *
     * @param arguments of the factory, as JSON
     * @param more further fields of the request, among them a small space and a budget; the baseline has no workers
     */
    static WildStudy unhurried(String factory, String arguments, String more) throws InterruptedException {
        return unhurried(factory, arguments, more, LIMITS, PYTHON);
    }

    static WildStudy unhurried(String factory, String arguments, String more, TimeLimits limits, Path interpreter)
            throws InterruptedException {
        String json = """
                {"name": "wild", "source": {"kind": "python", "factory": "%s", "arguments": %s}, %s}
                """.formatted(factory, arguments, more);
        return run(request(json), limits, interpreter, WildStudy::machine, eachReadingTakes(SECONDS_OF_A_READING));
    }

    private static Machine machine() {
        return MachineInspector.live(System.getenv()).inspect();
    }

    private static WildStudy run(
            StudyRequest request, TimeLimits limits, Path interpreter, Supplier<Machine> machine, InstantSource clock)
            throws InterruptedException {
        return run(request, limits, interpreter, machine, clock, TuningListener.NONE);
    }

    private static WildStudy run(
            StudyRequest request,
            TimeLimits limits,
            Path interpreter,
            Supplier<Machine> machine,
            InstantSource clock,
            TuningListener listener)
            throws InterruptedException {
        MarkedProcesses processes = new MarkedProcesses();
        MemoryJournal journal = new MemoryJournal();
        StudyReport report = new Tuner(loader(processes, limits, interpreter), machine, clock)
                .run(UUID.randomUUID().toString(), request, journal, listener);
        List<TrialReport> trials = journal.trials().stream()
                .map(trial -> TrialReport.of(trial, journal.preparation()))
                .toList();
        return new WildStudy(report, trials, journal.trials(), processes.alive());
    }

    private static StudyRequest request(String json) {
        StudyRequest asked = TunerJson.mapper().readValue(json, StudyRequest.class);
        return asked.source() instanceof Source.Python python
                ? asked.withSource(new Source.Python(
                        python.factory(), python.arguments(), List.of(USER_CODE), python.environment()))
                : asked;
    }

    static Source source(String factory, Map<String, Object> arguments) {
        return new Source.Python(factory, arguments, List.of(USER_CODE), null);
    }

    static PyTorchLoader loader(MarkedProcesses processes) {
        return loader(processes, TimeLimits.DEFAULT, PYTHON);
    }

    private static PyTorchLoader loader(MarkedProcesses processes, TimeLimits limits, Path interpreter) {
        return new PyTorchLoader(
                new PythonInterpreters(Map.of(Source.Python.DEFAULT_ENVIRONMENT, interpreter), Map.of()),
                limits,
                processes.environment(),
                Set.of(MarkedProcesses.VARIABLE),
                AllowedRoots.unrestricted(Path.of(USER_CODE)));
    }

    /** A clock by which everything between two readings takes as long. */
    private static InstantSource eachReadingTakes(double seconds) {
        AtomicLong readings = new AtomicLong();
        return () -> Instant.EPOCH.plusMillis(Math.round(1000 * seconds * readings.getAndIncrement()));
    }

    /** The trial of the one config with so many workers. */
    TrialReport withWorkers(int workers) {
        return trials.get(records.indexOf(trialWith(workers)));
    }

    /** The same, as stored. */
    TrialRecord trialWith(int workers) {
        List<TrialRecord> found = records.stream()
                .filter(trial -> trial.config().numWorkers() == workers)
                .toList();
        assertThat(found)
                .as("trials with %d workers; skipped were %s", workers, report.skipped())
                .isNotEmpty();
        return found.get(0);
    }

    /** The failure of the trial with so many workers, after which the study went on and reports 0 workers and left no process. */
    TrialFailure survivedFailureOf(int workers) {
        TrialReport failed = withWorkers(workers);
        assertThat(failed.state()).as("%s", failed).isEqualTo(TrialState.FAILED);
        assertGoesOnWithoutWorkers();
        return Objects.requireNonNull(failed.failure());
    }

    /** 0 workers are measured and recommended, and no process is left. */
    void assertGoesOnWithoutWorkers() {
        assertThat(left).isEmpty();
        assertThat(report.state()).as("%s", report.failure()).isEqualTo(StudyState.COMPLETED);
        assertThat(withWorkers(0).state()).isEqualTo(TrialState.COMPLETE);
        assertThat(Objects.requireNonNull(withWorkers(0).throughput()).samplesPerSecond())
                .isPositive();
        assertThat(Objects.requireNonNull(report.recommendation()).config().numWorkers())
                .isZero();
    }
}
