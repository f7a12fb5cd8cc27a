package io.loadertuner.core.tuning;

import io.loadertuner.core.diagnosis.Bottleneck;
import io.loadertuner.core.diagnosis.Epoch;
import io.loadertuner.core.diagnosis.Finding;
import io.loadertuner.core.loader.Examination;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Budget;
import io.loadertuner.core.study.Conclusion;
import io.loadertuner.core.study.GuardedSearch;
import io.loadertuner.core.study.Recommendation;
import io.loadertuner.core.study.SearchSettings;
import io.loadertuner.core.study.SearchState;
import io.loadertuner.core.study.TrialState;
import io.loadertuner.core.tuning.StudyReport.Baseline;
import io.loadertuner.core.tuning.StudyReport.BestOfBatchSize;
import io.loadertuner.core.tuning.StudyReport.Progress;
import io.loadertuner.core.tuning.StudyReport.Recommended;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Puts together what a study answers at any moment. */
final class StudyReports {
    private final String id;
    private final StudyRequest request;

    StudyReports(String id, StudyRequest request) {
        this.id = id;
        this.request = request;
    }

    /** A study that has been posted and not begun. */
    StudyReport queued(@Nullable String device) {
        return empty(StudyState.QUEUED, device, 0, null);
    }

    /**
     * A study that could not come so far as to measure.
     *
     * @param here the machine that it was to run on; where it cannot be inspected, the report has no device
     */
    StudyReport failed(Journal journal, Supplier<Machine> here, TrialFailure failure, double seconds) {
        return journal.preparation()
                .map(found -> {
                    SearchSettings settings = StudyPlan.settings(request, found);
                    Trials trials = new Trials(journal.trials());
                    SearchState state = new GuardedSearch(settings, request.newSampler()).after(trials.observations());
                    return of(found, settings, trials, state, seconds).ended(StudyState.FAILED, failure);
                })
                .orElseGet(() -> empty(StudyState.FAILED, device(here), seconds, failure));
    }

    private static @Nullable String device(Supplier<Machine> here) {
        try {
            return here.get().deviceForCertain();
        } catch (RuntimeException uninspected) {
            return null;
        }
    }

    StudyReport of(Preparation found, SearchSettings settings, Trials trials, SearchState state, double seconds) {
        Optional<Conclusion> conclusion =
                state.next() instanceof SearchState.Next.Done done ? Optional.of(done.conclusion()) : Optional.empty();
        Recommendation chosen = conclusion.map(Conclusion::recommendation).orElse(null);
        StudyState studyState =
                conclusion.isEmpty() ? StudyState.RUNNING : chosen == null ? StudyState.FAILED : StudyState.COMPLETED;
        LoaderConfig baseline = settings.baseline();
        Findings findings = new Findings(found, trials);
        List<Finding> noticed = findings.ofData();
        Optional<Epoch> epoch = Optional.empty();
        Bottleneck bottleneck = null;
        if (chosen != null) {
            epoch = findings.epoch(chosen.config());
            bottleneck = bottleneck(found, settings, trials, chosen.config());
            noticed.addAll(findings.ofChoice(chosen.config(), bottleneck, epoch));
        }
        return new StudyReport(
                id,
                studyState,
                request.name(),
                request.descriptor().version(),
                request.descriptor().loader(),
                found.facts().device(),
                found.machineType(),
                progress(settings.budget(), trials.records().size(), seconds, conclusion.isPresent()),
                new Baseline(
                        trials.of(baseline).map(TrialRecord::number).orElse(null),
                        baseline,
                        trials.of(baseline).flatMap(TrialRecord::throughput).orElse(null)),
                objective(),
                chosen == null ? null : recommended(chosen, trials, epoch),
                state.resolvableDifference().isPresent()
                        ? state.resolvableDifference().getAsDouble()
                        : null,
                conclusion.map(Conclusion::tieSet).orElse(List.of()).stream()
                        .flatMap(config -> trials.of(config).stream())
                        .map(TrialRecord::number)
                        .toList(),
                bestByBatchSize(trials),
                state.explanation(),
                state.skipped(),
                bottleneck,
                noticed,
                conclusion.map(Conclusion::stoppedBy).orElse(null),
                trials.rejectedRounds(),
                notes(found, settings, trials, chosen),
                found.facts(),
                studyState == StudyState.FAILED ? FailureGroup.nothingMeasured(trials.records()) : null);
    }

    private StudyReport empty(
            StudyState state, @Nullable String device, double seconds, @Nullable TrialFailure failure) {
        LoaderConfig baseline = StudyPlan.baseline(
                Objects.requireNonNullElse(request.baseline(), BaselineRequest.PYTORCH_DEFAULTS),
                Objects.requireNonNullElse(request.space(), SpaceRequest.ANY));
        Budget budget = Objects.requireNonNullElse(request.budget(), Budget.DEFAULT);
        return new StudyReport(
                id,
                state,
                request.name(),
                request.descriptor().version(),
                request.descriptor().loader(),
                device,
                request.machineType(),
                progress(budget, 0, seconds, state.isOver()),
                new Baseline(null, baseline, null),
                objective(),
                null,
                null,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                null,
                List.of(),
                null,
                0,
                List.of(),
                null,
                failure);
    }

    private static Progress progress(Budget budget, int trials, double seconds, boolean over) {
        return over
                ? new Progress(trials, 0, seconds, 0)
                : new Progress(
                        trials,
                        Math.max(0, budget.maxTrials() - trials),
                        seconds,
                        Math.max(0, budget.wallSeconds() - seconds));
    }

    private String objective() {
        return request.step() == null ? "loader_only" : "with_step";
    }

    private static Recommended recommended(Recommendation chosen, Trials trials, Optional<Epoch> epoch) {
        TrialRecord trial = trials.of(chosen.config()).orElseThrow();
        return new Recommended(
                null,
                trial.number(),
                chosen.kind(),
                chosen.config(),
                trial.throughput().orElseThrow(),
                chosen.speedup(),
                chosen.reason(),
                epoch.orElse(null));
    }

    private static List<BestOfBatchSize> bestByBatchSize(Trials trials) {
        TreeSet<Integer> sizes = new TreeSet<>();
        trials.records().forEach(trial -> sizes.add(trial.config().batchSize()));
        List<BestOfBatchSize> best = new ArrayList<>();
        for (int size : sizes) {
            TrialRecord fastest = null;
            for (TrialRecord trial : trials.records()) {
                if (trial.config().batchSize() == size
                        && trial.state() == TrialState.COMPLETE
                        && (fastest == null || rate(trial) > rate(fastest))) {
                    fastest = trial;
                }
            }
            if (fastest != null) {
                best.add(new BestOfBatchSize(size, fastest.number()));
            }
        }
        return best;
    }

    private Bottleneck bottleneck(Preparation found, SearchSettings settings, Trials trials, LoaderConfig chosen) {
        TrialRecord trial = trials.of(chosen).orElseThrow();
        OptionalDouble bestWithWorkers = trials.records().stream()
                .filter(other -> other.config().numWorkers() > 0
                        && other.config().batchSize() == chosen.batchSize()
                        && other.state() == TrialState.COMPLETE)
                .mapToDouble(StudyReports::rate)
                .max();
        OptionalDouble fasterThanWorkers = chosen.numWorkers() == 0 && bestWithWorkers.orElse(0) > 0
                ? OptionalDouble.of(rate(trial) / bestWithWorkers.getAsDouble())
                : OptionalDouble.empty();
        List<Double> ownCores = trial.rounds().stream()
                .filter(RoundRecord::withStep)
                .map(round -> round.measurement().ownCores())
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .sorted()
                .toList();
        return Bottleneck.of(
                rate(trial),
                stepAlone(settings, chosen.batchSize()),
                chosen.numWorkers(),
                fasterThanWorkers,
                ownCores.isEmpty() ? null : ownCores.get(ownCores.size() / 2),
                found.machine().usableCores());
    }

    /** What the step alone takes in at this batch size; empty where it was measured at another one. */
    private OptionalDouble stepAlone(SearchSettings settings, int batchSize) {
        if (batchSize == settings.baseline().batchSize()) {
            return settings.stepSamplesPerSecond();
        }
        Double milliseconds = request.step() == null ? null : request.step().milliseconds();
        return milliseconds == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(1000 * request.descriptor().ranks() * batchSize / milliseconds);
    }

    private static double rate(TrialRecord trial) {
        return trial.throughput().map(Throughput::samplesPerSecond).orElse(0.0);
    }

    private List<String> notes(
            Preparation found, SearchSettings settings, Trials trials, @Nullable Recommendation chosen) {
        List<String> notes = new ArrayList<>();
        LoaderConfig baseline = settings.baseline();
        if (!found.facts().onGpu()) {
            notes.add("device: cpu. There is no GPU that PyTorch can use here, so pinning has no effect and"
                    + " pin_memory was not varied");
        }
        String frozenBy = found.facts().batchSizeFrozenBy();
        if (frozenBy != null) {
            notes.add(
                    ("batch_size was not varied: the DataLoader that the factory returned has %s, which decides what a"
                                    + " batch is; the first one held %d samples")
                            .formatted(
                                    frozenBy.equals("batch_sampler") ? "a batch_sampler" : frozenBy,
                                    found.facts().batchSamples()));
        }
        if (request.step() == null) {
            notes.add("objective: the loader alone. The descriptor has no training step; with one, another config"
                    + " may be best");
        }
        if (!found.hung().isEmpty()) {
            notes.add("configs that hung in earlier studies of this dataset are skipped: "
                    + found.hung().stream()
                            .map(known -> known.config().describe())
                            .collect(Collectors.joining("; ")));
        }
        notes.addAll(new CudaObstacles(found.facts()).notes(settings.space()));
        int ranks = request.descriptor().ranks();
        if (ranks > 1) {
            notes.add(
                    "%d ranks, each a process with its own share of the data: num_workers and batch_size are per rank,"
                                    .formatted(ranks)
                            + " rates are over all ranks");
        }
        Examination examination = found.examination();
        if (examination != null && examination.problem() != null) {
            notes.add("what workers have in common could not be examined: " + examination.problem());
        }
        if (trials.wereDisturbed()) {
            notes.add("the machine is busy: other processes used the processor in some rounds even when repeated");
        }
        if (chosen != null && chosen.config().batchSize() != baseline.batchSize()) {
            notes.add("the batch size changes from %d to %d: that asks for a new learning rate"
                    .formatted(baseline.batchSize(), chosen.config().batchSize()));
        }
        return notes;
    }
}
