package io.loadertuner.core.loader.pytorch;

import io.loadertuner.core.loader.Examination;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.MeasuredRound;
import io.loadertuner.core.loader.ProcessLog;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.Symptoms;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.truth.Deliveries;
import io.loadertuner.core.loader.truth.DeliveryReader;
import io.loadertuner.core.loader.truth.TruthCheck;
import io.loadertuner.core.measure.RoundPlan;
import io.loadertuner.core.measure.WindowEdges;
import io.loadertuner.core.measure.WindowRule;
import io.loadertuner.core.space.LoaderConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What a session asks its probes, and what it makes of their answers. */
final class PyTorchSession implements LoaderSession {
    private static final JsonMapper JSON = ProbeMessages.JSON;
    private static final double STEP_ALONE_SECONDS = 1.0;

    /** It is worth no more: nothing that is measured depends on it. */
    private static final Duration MOST_TO_EXAMINE = Duration.ofSeconds(15);

    private final SessionProbes probes;
    private final TimeLimits limits;
    private final boolean hasStep;
    private final long seed;
    private ProbeMessages.@Nullable Opened opened;
    private @Nullable TruthCheck truth;

    /**
     * @param hasStep whether the descriptor has a training step
     */
    PyTorchSession(SessionProbes probes, TimeLimits limits, boolean hasStep, long seed) {
        this.probes = probes;
        this.limits = limits;
        this.hasStep = hasStep;
        this.seed = seed;
    }

    /** Builds the dataset in both probes at once. */
    void open() throws TrialFailedException, InterruptedException {
        opened = probes.open();
    }

    @Override
    public LoaderFacts check(int batchSize) throws TrialFailedException, InterruptedException {
        return probes.with(ProbeRole.INLINE, probe -> {
            ObjectNode request = request("check").put("batch_size", batchSize);
            ProbeMessages.Checked read = probe.answer(
                    probe.send(request), limits.startup(), "reading a sample and a batch", ProbeMessages.Checked.class);
            ProbeMessages.Opened facts = opened();
            return new LoaderFacts(
                    facts.device(),
                    facts.gpu(),
                    facts.python(),
                    facts.torch(),
                    facts.startMethod(),
                    facts.kind(),
                    read.length(),
                    read.sample(),
                    read.sampleBytes(),
                    read.batchBytes(),
                    read.batchSamples(),
                    read.sampleSeconds(),
                    facts.openSeconds(),
                    facts.datasetInitialisedCuda(),
                    read.processBytes(),
                    read.samplesOnGpu(),
                    read.order(),
                    facts.batchSizeFrozenBy(),
                    new LoaderFacts.ProcessFacts(
                            facts.usableCpusBefore(),
                            facts.usableCpusAfter(),
                            facts.torchThreads(),
                            facts.ompNumThreads(),
                            facts.inOrderAvailable()));
        });
    }

    @Override
    public double stepAlone(LoaderConfig config) throws TrialFailedException, InterruptedException {
        if (!hasStep) {
            throw new IllegalStateException("the descriptor has no step");
        }
        return probes.with(ProbeRole.INLINE, probe -> {
            ObjectNode request = request("step_alone").put("seconds", STEP_ALONE_SECONDS);
            request.set("config", JSON.valueToTree(config));
            ProbeMessages.StepAlone alone = probe.answer(
                    probe.send(request), limits.startup(), "running the step alone", ProbeMessages.StepAlone.class);
            return alone.samples() / alone.seconds();
        });
    }

    @Override
    public MeasuredRound measure(LoaderConfig config, RoundPlan plan, boolean withStep)
            throws TrialFailedException, InterruptedException {
        probes.requireNothingLeft();
        return probes.with(role(config), probe -> {
            OpenProbe.RoundAnswer answer = round(probe, config, roundRequest(config, plan, withStep));
            return measured(answer, alone(answer, new WindowRule(config, plan)));
        });
    }

    /** Has the process that would load under this config be there, and nothing of an earlier trial. */
    PyTorchSession ready(LoaderConfig config) throws TrialFailedException, InterruptedException {
        probes.requireNothingLeft();
        return probes.with(role(config), probe -> this);
    }

    /**
     * Measures this rank's part of a round, over the time in which all ranks are measured.
     *
     * @param meeting an empty folder that all ranks are given
     */
    RankRound measureAmongOthers(LoaderConfig config, RoundPlan plan, boolean withStep, Path meeting)
            throws TrialFailedException, InterruptedException {
        return probes.with(role(config), probe -> {
            ObjectNode request = roundRequest(config, plan, withStep).put("meeting", meeting.toString());
            OpenProbe.RoundAnswer answer = round(probe, config, request);
            ProbeMessages.Round part = answer.round();
            WindowEdges window = new WindowRule(config, plan).requireAmongOthers(part.arrivalsUs(), part.window());
            long clock = Objects.requireNonNull(part.clockUs(), "no clock_us");
            return new RankRound(
                    measured(answer, window),
                    clock + part.arrivalsUs().get(window.first()),
                    clock + part.arrivalsUs().get(window.last()),
                    part.batchesPerPass());
        });
    }

    @Override
    public Optional<String> verify(LoaderConfig config, Duration atMost)
            throws TrialFailedException, InterruptedException {
        TruthCheck check = truth;
        if (check == null) {
            check = new TruthCheck(this::deliver, kind());
            truth = check;
        }
        return check.check(config, atMost);
    }

    private ProbeMessages.Opened opened() {
        ProbeMessages.Opened facts = opened;
        if (facts == null) {
            throw new IllegalStateException("the session was not opened");
        }
        return facts;
    }

    private TruthCheck.Kind kind() {
        ProbeMessages.Opened facts = opened();
        if (facts.kind().equals("map")) {
            return TruthCheck.Kind.INDEXED;
        }
        return facts.kind().equals("iterable") && facts.batchSizeFrozenBy() == null
                ? TruthCheck.Kind.STREAM
                : TruthCheck.Kind.STREAM_OF_BATCHES;
    }

    private Deliveries deliver(LoaderConfig config, DeliveryReader.Request asked)
            throws TrialFailedException, InterruptedException {
        ProbeRole role = role(config);
        if (asked.afresh()) {
            probes.discard(role);
        }
        return probes.with(role, probe -> {
            ObjectNode request = request("deliveries")
                    .put("samples_per_batch", asked.samplesPerBatch())
                    .put("most_batches", asked.mostBatches())
                    .put("seed", asked.seed())
                    .put("worker_seed", asked.workerSeed())
                    .put("in_turn_as", asked.inTurnAs())
                    .put("seconds", asked.atMost().toMillis() / 1000.0);
            request.set("config", JSON.valueToTree(config));
            request.set("batches", JSON.valueToTree(asked.batches()));
            long id = probe.send(request);
            Deliveries delivered = probe.answer(
                    id,
                    limits.startup().plus(asked.atMost()).plus(limits.batch()),
                    "reading samples to compare them",
                    Deliveries.class);
            // A dataset may keep for good what it did to itself when it took this process for a worker.
            if (probe.closed(id).isEmpty() || asked.inTurnAs() > 0) {
                probes.discard(role);
            }
            return delivered;
        });
    }

    private @Nullable String startMethod(LoaderConfig config) {
        if (config.numWorkers() == 0) {
            return null;
        }
        return config.multiprocessingContext() == null ? opened().startMethod() : config.multiprocessingContext();
    }

    @Override
    public ProcessLog takeLog() {
        return probes.takeLog();
    }

    /** Says that {@link #close} will be called, so that several sessions end at once. */
    void askToStop() {
        probes.askToStop();
    }

    @Override
    public Optional<Examination> examine(LoaderConfig config) throws TrialFailedException, InterruptedException {
        return probes.with(ProbeRole.WARM, probe -> {
            ObjectNode request = request("examine").put("multiprocessing_context", config.multiprocessingContext());
            ProbeMessages.Examined examined = probe.answer(
                    probe.send(request),
                    MOST_TO_EXAMINE.compareTo(limits.startup()) < 0 ? MOST_TO_EXAMINE : limits.startup(),
                    "having two workers read a few samples",
                    ProbeMessages.Examined.class);
            return Optional.of(new Examination(
                    examined.randomNumbersRepeat(), examined.usableCpus(), examined.torchThreads(), null));
        });
    }

    @Override
    public OptionalDouble epochGapSeconds(LoaderConfig config) throws TrialFailedException, InterruptedException {
        return probes.with(role(config), probe -> {
            ObjectNode request = request("epoch_gap").put("seed", seed);
            request.set("config", JSON.valueToTree(config));
            Double seconds = probe.answer(
                            probe.send(request),
                            limits.startup(),
                            "beginning a second pass over the data",
                            ProbeMessages.Gap.class)
                    .epochGapSeconds();
            return seconds == null ? OptionalDouble.empty() : OptionalDouble.of(seconds);
        });
    }

    @Override
    public void close() {
        probes.close();
    }

    private static ProbeRole role(LoaderConfig config) {
        return config.numWorkers() == 0 ? ProbeRole.INLINE : ProbeRole.WARM;
    }

    private ObjectNode roundRequest(LoaderConfig config, RoundPlan plan, boolean withStep) {
        ObjectNode request = request("round").put("with_step", withStep).put("seed", seed);
        request.set("config", JSON.valueToTree(config));
        request.set("plan", JSON.valueToTree(plan));
        return request;
    }

    private OpenProbe.RoundAnswer round(OpenProbe probe, LoaderConfig config, ObjectNode request)
            throws TrialFailedException, InterruptedException {
        OpenProbe.RoundAnswer answer = probe.round(request, startMethod(config));
        if (answer.shutdownSeconds().isEmpty()) {
            probes.discard(role(config));
        }
        return answer;
    }

    private static WindowEdges alone(OpenProbe.RoundAnswer answer, WindowRule rule) {
        ProbeMessages.Round round = answer.round();
        WindowEdges window = rule.windowIn(round.arrivalsUs())
                .orElseThrow(() -> new IllegalStateException(
                        "no window lies in the " + round.arrivalsUs().size() + " batches of the round"));
        if (!window.equals(round.window())) {
            throw new IllegalStateException(
                    "samples were counted in " + round.window() + ", but the window is " + window);
        }
        return window;
    }

    private MeasuredRound measured(OpenProbe.RoundAnswer answer, WindowEdges window) {
        ProbeMessages.Round round = answer.round();
        Optional<ProbeMessages.Memory> memory = Optional.ofNullable(round.memory());
        Optional<ProbeMessages.GpuUse> gpu = Optional.ofNullable(round.gpu());
        Optional<ProbeMessages.Cpu> cpu = Optional.ofNullable(round.cpu());
        RoundMeasurement measurement = new RoundMeasurement(
                round.startupSeconds(),
                round.firstBatchSeconds(),
                answer.shutdownSeconds().orElse(null),
                round.waitSeconds(),
                memory.map(ProbeMessages.Memory::pssBytes).orElse(null),
                memory.map(ProbeMessages.Memory::sharedMemoryBytes).orElse(null),
                gpu.map(ProbeMessages.GpuUse::memoryBytes).orElse(null),
                gpu.map(ProbeMessages.GpuUse::pinnedBytes).orElse(null),
                gpu.map(ProbeMessages.GpuUse::utilization).orElse(null),
                cpu.map(ProbeMessages.Cpu::ownCores).orElse(null),
                cpu.map(ProbeMessages.Cpu::foreignCores).orElse(null),
                round.startMethod(),
                answer.shutdownSeconds().isPresent()
                        ? null
                        : "the workers did not end within " + limits.teardown().toMillis() / 1000.0
                                + " s after the measurement and were killed",
                window.over(round.arrivalsUs(), round.windowSamples()),
                List.of(),
                symptoms(round));
        return new MeasuredRound(measurement, round.arrivalsUs());
    }

    private static Symptoms symptoms(ProbeMessages.Round round) {
        return new Symptoms(
                round.waits(),
                Optional.ofNullable(round.copied())
                        .map(copied -> new Symptoms.CopiedMemory(
                                copied.copiedBytes(),
                                copied.sharedBytes(),
                                copied.workers(),
                                round.arrivalsUs().size() - 1))
                        .orElse(null),
                round.pickledBytes());
    }

    private static ObjectNode request(String command) {
        return JSON.createObjectNode().put("command", command);
    }
}
