package io.loadertuner.core.cli;

import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.json.JsonFault;
import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.loader.pytorch.AllowedRoots;
import io.loadertuner.core.loader.pytorch.PyTorchLoader;
import io.loadertuner.core.loader.pytorch.PythonInterpreters;
import io.loadertuner.core.machine.MachineInspector;
import io.loadertuner.core.machine.MachineLock;
import io.loadertuner.core.tuning.MemoryJournal;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.core.tuning.StudySurface;
import io.loadertuner.core.tuning.TrialReport;
import io.loadertuner.core.tuning.Tuner;
import io.loadertuner.core.tuning.TuningListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** {@code loader-tuner tune}: tunes a descriptor file on this machine, without the service. */
@Command(
        name = "tune",
        mixinStandardHelpOptions = true,
        description = "Tunes the dataset of a descriptor file on this machine.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:a config is recommended",
            "1:the study failed, and the answer says why; or its surface could not be written",
            "2:the descriptor or an option cannot be accepted",
            "130:interrupted; what was measured until then is printed"
        })
final class TuneCommand implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int INTERRUPTED = 130;
    private static final Duration TIME_TO_STOP = Duration.ofSeconds(20);

    @Parameters(
            paramLabel = "DESCRIPTOR",
            description = "JSON file with the body of POST /api/v1/studies; - for standard input")
    private @Nullable String descriptor;

    @Option(
            names = "--json",
            description = "Print one JSON object: the study and its trials, as the service answers them.")
    private boolean json;

    @Option(
            names = "--python",
            paramLabel = "[NAME=]INTERPRETER",
            description =
                    "Interpreter with PyTorch, for the environment NAME (default: 'default'). Else LOADER_TUNER_PYTHON, else the first python3 on the path that imports torch.")
    private List<String> pythons = List.of();

    @Option(
            names = "--pass-environment",
            paramLabel = "VARIABLE",
            split = ",",
            description = "Environment variables that the loading processes get besides the usual few.")
    private Set<String> passed = Set.of();

    @Option(
            names = "--surface",
            paramLabel = "FILE",
            description =
                    "Write what was measured there as CSV, for loader-tuner replay; also where the study fails or is"
                            + " interrupted.")
    private @Nullable Path surfaceFile;

    @Mixin
    private LimitOptions limits = new LimitOptions();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        StudyRequest request = request();
        PrintWriter progress = commandSpec().commandLine().getErr();
        MemoryJournal journal = new MemoryJournal();
        Map<String, String> environment = System.getenv();
        PyTorchLoader loader = new PyTorchLoader(
                new PythonInterpreters(interpreters(), environment),
                limits.timeLimits(),
                environment,
                passed,
                AllowedRoots.unrestricted(Path.of("").toAbsolutePath()));
        Tuner tuner = new Tuner(loader, () -> MachineInspector.live(environment).inspect(), InstantSource.system());
        TuningListener listener = json ? TuningListener.NONE : new TerminalProgress(progress);

        // Where it was interrupted, the process stays until this block is left.
        try (Interruption interruption = Interruption.onShutdown(TIME_TO_STOP)) {
            StudyReport report = run(tuner, request, journal, listener, progress);
            if (report.state() != StudyState.CANCELLED) {
                interruption.disarm();
            }
            answer(report, journal);
            boolean written = writeSurface(request.name(), journal, progress);
            return switch (report.state()) {
                case COMPLETED -> written ? 0 : FAILED;
                case CANCELLED -> INTERRUPTED;
                default -> FAILED;
            };
        }
    }

    /** The study at its end, or as far as it came before it was interrupted. */
    private static StudyReport run(
            Tuner tuner, StudyRequest request, MemoryJournal journal, TuningListener listener, PrintWriter progress)
            throws IOException {
        String id = UUID.randomUUID().toString();
        try {
            return tune(tuner, id, request, journal, listener, progress);
        } catch (InterruptedException interrupted) {
            progress.println();
            progress.println("interrupted; no process is left");
            TrialFailure why = new TrialFailure(
                    FailureReason.CANCELLED, "the study was interrupted", "Tune again; it starts anew.", Map.of());
            return journal.report()
                    .orElseGet(() -> StudyReport.queued(id, request, null))
                    .ended(StudyState.CANCELLED, why);
        }
    }

    private void answer(StudyReport report, MemoryJournal journal) {
        List<TrialReport> trials = journal.trials().stream()
                .map(trial -> TrialReport.of(trial, journal.preparation()))
                .toList();
        PrintWriter out = commandSpec().commandLine().getOut();
        out.println(json ? asJson(report, trials) : FinalTable.of(report, trials));
        out.flush();
    }

    /**
     * What was measured, whether or not the study came to its end.
     *
     * @return false where it was asked for and cannot be written
     */
    private boolean writeSurface(String dataset, MemoryJournal journal, PrintWriter progress) {
        if (surfaceFile == null) {
            return true;
        }
        // A thread that is interrupted cannot write a file.
        Thread.interrupted();
        try {
            Files.writeString(surfaceFile, StudySurface.csv(dataset, journal.preparation(), journal.trials()));
            return true;
        } catch (NoSuchFileException missing) {
            progress.println("the surface was not written: there is no folder for " + surfaceFile);
        } catch (IOException unwritable) {
            progress.println("the surface was not written: " + unwritable.getMessage());
        }
        progress.flush();
        return false;
    }

    @SuppressWarnings("try") // the lock is held for the block
    private static StudyReport tune(
            Tuner tuner,
            String id,
            StudyRequest request,
            MemoryJournal journal,
            TuningListener listener,
            PrintWriter progress)
            throws IOException, InterruptedException {
        try (MachineLock lock = MachineLock.acquire(
                MachineLock.DEFAULT_PATH, "study of " + request.name() + " from the command line", holder -> {
                    progress.println("waiting: " + holder.description() + " is measuring on this machine");
                    progress.flush();
                })) {
            return tuner.run(id, request, journal, listener);
        }
    }

    private StudyRequest request() throws IOException {
        String file = descriptor == null ? "-" : descriptor;
        try {
            byte[] bytes = file.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(file));
            StudyRequest request = TunerJson.mapper().readValue(bytes, StudyRequest.class);
            return request.withSource(absolute(request.source()));
        } catch (NoSuchFileException missing) {
            throw refused("there is no file " + file);
        } catch (JacksonException unreadable) {
            throw refused(file + ": " + JsonFault.of(unreadable).getMessage());
        }
    }

    private static Source absolute(Source source) {
        if (source instanceof Source.ImageFolder images) {
            return new Source.ImageFolder(absolute(images.path()), images.imageSize());
        }
        if (source instanceof Source.Array array) {
            return new Source.Array(absolute(array.path()));
        }
        if (source instanceof Source.TarShards shards) {
            return new Source.TarShards(absolute(shards.path()), shards.imageSize());
        }
        if (source instanceof Source.Python python) {
            List<String> folders =
                    python.pythonPath() == null || python.pythonPath().isEmpty() ? List.of(".") : python.pythonPath();
            return new Source.Python(
                    python.factory(),
                    python.arguments(),
                    folders.stream().map(TuneCommand::absolute).toList(),
                    python.environment());
        }
        return source;
    }

    private static String absolute(String path) {
        return Path.of(path).toAbsolutePath().normalize().toString();
    }

    private Map<String, Path> interpreters() {
        Map<String, Path> byName = new TreeMap<>();
        for (String python : pythons) {
            int equals = python.indexOf('=');
            String name = equals < 0 ? Source.Python.DEFAULT_ENVIRONMENT : python.substring(0, equals);
            byName.put(name, Path.of(python.substring(equals + 1)).toAbsolutePath());
        }
        return byName;
    }

    private static String asJson(StudyReport report, List<TrialReport> trials) {
        JsonNode study = TunerJson.mapper().valueToTree(report);
        return TunerJson.mapper()
                .writerWithDefaultPrettyPrinter()
                .writeValueAsString(Map.of("study", study, "trials", trials));
    }

    private ParameterException refused(String problem) {
        return new ParameterException(commandSpec().commandLine(), problem);
    }

    private CommandSpec commandSpec() {
        if (spec == null) {
            throw new IllegalStateException("picocli has not filled in the command");
        }
        return spec;
    }
}
