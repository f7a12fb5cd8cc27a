package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.Loader;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.machine.MachineType;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Ask;
import io.loadertuner.core.study.GuardedSearch;
import io.loadertuner.core.study.SearchProcedure;
import io.loadertuner.core.study.SearchSettings;
import io.loadertuner.core.study.SearchState;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs a study: describes the machine, checks the descriptor, measures what the search asks for, reports. */
public final class Tuner {
    /** A config under which the tuner died this often is not tried again. */
    private static final int DEATHS_THAT_END_A_TRIAL = 2;

    private final Loader loader;
    private final Supplier<Machine> machine;
    private final InstantSource clock;
    private final EarlierStudies earlier;

    /**
     * @param machine describes the machine that the loader runs on
     */
    public Tuner(Loader loader, Supplier<Machine> machine, InstantSource clock) {
        this(loader, machine, clock, EarlierStudies.NONE);
    }

    /**
     * @param machine describes the machine that the loader runs on
     * @param earlier where a study of a known dataset starts from
     */
    public Tuner(Loader loader, Supplier<Machine> machine, InstantSource clock, EarlierStudies earlier) {
        this.earlier = earlier;
        this.loader = loader;
        this.machine = machine;
        this.clock = clock;
    }

    /**
     * Runs a study to its end, or goes on with one whose journal is not empty.
     *
     * @return the last report, {@code completed} or {@code failed}
     * @throws InterruptedException when cancelled; what was measured is in the journal, and no process is left
     */
    public StudyReport run(String id, StudyRequest request, Journal journal, TuningListener listener)
            throws InterruptedException {
        StudyReports reports = new StudyReports(id, request);
        Stopwatch stopwatch = new Stopwatch(
                clock,
                Math.max(
                        new Trials(journal.trials()).elapsedSeconds(),
                        journal.preparation().map(Preparation::elapsedSeconds).orElse(0.0)));
        try (LoaderSession session = loader.open(request.descriptor(), seed(id))) {
            Preparation preparation = prepare(id, request, journal, session, stopwatch);
            return search(request, journal, listener, reports, session, preparation, stopwatch);
        } catch (TrialFailedException unusable) {
            StudyReport failed = reports.failed(journal, unusable.failure(), stopwatch.seconds());
            journal.reported(failed);
            return failed;
        }
    }

    private Preparation prepare(
            String id, StudyRequest request, Journal journal, LoaderSession session, Stopwatch stopwatch)
            throws TrialFailedException, InterruptedException {
        Optional<Preparation> known = journal.preparation();
        if (known.isPresent()) {
            return known.get();
        }
        LoaderConfig baseline = StudyPlan.baseline(
                request.baseline() == null ? BaselineRequest.PYTORCH_DEFAULTS : request.baseline(),
                request.space() == null ? SpaceRequest.ANY : request.space());
        LoaderFacts facts = session.check(baseline.batchSize());
        Double stepAlone = request.step() == null
                ? null
                : session.stepAlone(LoaderConfig.of(
                        0, LoaderConfig.DEFAULT_PREFETCH, baseline.pinMemory(), baseline.batchSize(), false, null));
        Machine here = machine.get();
        String type = request.machineType() == null ? MachineType.of(here).key() : request.machineType();
        Preparation found = new Preparation(
                here,
                type,
                facts,
                stepAlone,
                seed(id),
                stopwatch.seconds(),
                earlier.recommended(request.descriptor(), type));
        journal.prepared(found);
        return found;
    }

    private StudyReport search(
            StudyRequest request,
            Journal journal,
            TuningListener listener,
            StudyReports reports,
            LoaderSession session,
            Preparation preparation,
            Stopwatch stopwatch)
            throws InterruptedException {
        SearchSettings settings = StudyPlan.settings(request, preparation);
        SearchProcedure search = new GuardedSearch(settings, request.newSampler());
        RoundRunner rounds = new RoundRunner(
                session, preparation.machine(), settings.budget().wallSeconds(), stopwatch);
        Optional<LoaderConfig> justMeasured = Optional.empty();
        while (true) {
            Trials trials = new Trials(journal.trials());
            SearchState state = search.after(trials.observations());
            StudyReport report = reports.of(preparation, settings, trials, state, stopwatch.seconds());
            journal.reported(report);
            justMeasured.flatMap(trials::of).ifPresent(trial -> listener.roundEnded(TrialReport.of(trial), report));
            if (!(state.next() instanceof SearchState.Next.Measure measure)) {
                return report;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException("the study was cancelled");
            }
            Ask ask = measure.ask();
            int number = trials.numberFor(ask.config());
            listener.roundBegun(number, ask);
            if (hasDiedTooOften(trials, ask)) {
                journal.trialFailed(number, died(ask, stopwatch));
            } else {
                measure(journal, rounds, ask, number, stopwatch);
            }
            justMeasured = Optional.of(ask.config());
        }
    }

    private static boolean hasDiedTooOften(Trials trials, Ask ask) {
        return trials.of(ask.config()).map(TrialRecord::openAttempts).orElse(0) >= DEATHS_THAT_END_A_TRIAL;
    }

    private static void measure(Journal journal, RoundRunner rounds, Ask ask, int number, Stopwatch stopwatch)
            throws InterruptedException {
        double begun = stopwatch.seconds();
        journal.roundBegun(number, ask.config());
        try {
            RoundRunner.Outcome outcome = rounds.measure(ask);
            RoundMeasurement measurement = outcome.round().measurement();
            journal.roundMeasured(
                    number,
                    new RoundRecord(
                            ask.phase(),
                            ask.round(),
                            measurement.window().samplesPerSecond(),
                            outcome.rejected(),
                            outcome.busy(),
                            outcome.costSeconds(),
                            stopwatch.seconds(),
                            measurement),
                    outcome.round().arrivalsMicros());
        } catch (TrialFailedException failed) {
            double ended = stopwatch.seconds();
            journal.trialFailed(
                    number, new FailureRecord(ask.phase(), ask.round(), failed.failure(), ended - begun, ended));
        } catch (InterruptedException cancelled) {
            journal.roundAbandoned(number);
            throw cancelled;
        }
    }

    private static FailureRecord died(Ask ask, Stopwatch stopwatch) {
        TrialFailure failure = TrialFailure.of(
                FailureReason.PROBE_LOST,
                "the tuner was killed %d times while this config was being measured; it is not tried again"
                        .formatted(DEATHS_THAT_END_A_TRIAL));
        return new FailureRecord(ask.phase(), ask.round(), failure, 0, stopwatch.seconds());
    }

    /** The same for every run of one study, so that a study that goes on takes the same way. */
    private static long seed(String id) {
        return id.hashCode() & 0x7fffffffL;
    }
}
