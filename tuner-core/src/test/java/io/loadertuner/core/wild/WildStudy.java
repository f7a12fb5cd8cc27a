package io.loadertuner.core.wild;

import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.loader.pytorch.AllowedRoots;
import io.loadertuner.core.loader.pytorch.PyTorchLoader;
import io.loadertuner.core.loader.pytorch.PythonInterpreters;
import io.loadertuner.core.loader.pytorch.TimeLimits;
import io.loadertuner.core.machine.MachineInspector;
import io.loadertuner.core.tuning.MemoryJournal;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.TrialReport;
import io.loadertuner.core.tuning.Tuner;
import io.loadertuner.core.tuning.TuningListener;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.UUID;

/**
 * A whole study with the real DataLoader.
 *
 * @param report as it ended
 * @param trials in the order of their numbers
 */
record WildStudy(StudyReport report, List<TrialReport> trials) {
    private static final Path USER_CODE =
            Path.of("src/test/python/user_code").toAbsolutePath();

    /** @param json the body of a study request; a python source finds its module among the tests' user code */
    static WildStudy run(String json) throws InterruptedException {
        return run(json, TimeLimits.DEFAULT);
    }

    static WildStudy run(String json, TimeLimits limits) throws InterruptedException {
        StudyRequest asked = TunerJson.mapper().readValue(json, StudyRequest.class);
        StudyRequest request = asked.source() instanceof Source.Python python
                ? asked.withSource(new Source.Python(
                        python.factory(), python.arguments(), List.of(USER_CODE.toString()), python.environment()))
                : asked;
        PyTorchLoader loader = new PyTorchLoader(
                new PythonInterpreters(
                        Map.of(
                                Source.Python.DEFAULT_ENVIRONMENT,
                                Path.of(System.getProperty("loader-tuner.test.python"))),
                        Map.of()),
                limits,
                System.getenv(),
                Set.of(),
                AllowedRoots.unrestricted(USER_CODE));
        MemoryJournal journal = new MemoryJournal();
        StudyReport report = new Tuner(loader, MachineInspector.live()::inspect, InstantSource.system())
                .run(UUID.randomUUID().toString(), request, journal, TuningListener.NONE);
        return new WildStudy(
                report,
                journal.trials().stream()
                        .map(trial -> TrialReport.of(trial, journal.preparation()))
                        .toList());
    }

    /** The first trial with so many workers. */
    TrialReport withWorkers(int workers) {
        return trials.stream()
                .filter(trial -> trial.config().numWorkers() == workers)
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException(workers + " workers among " + trials));
    }
}
