package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.Examination;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.Loader;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.ProcessLog;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs a study: describes the machine, checks the descriptor, measures what the search asks for, reports. */
public final class Tuner {
    /** A config under which the tuner died this often is not tried again. */
    private static final int DEATHS_THAT_END_A_TRIAL = 2;

    private static final int ROUNDS_OF_AN_ATTEMPT = 3;

    /** A tenth of it may go into repeats where other processes used the processor. */
    private static final double SECONDS_OF_AN_ATTEMPT = 60;

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
            StudyReport failed = reports.failed(journal, machine, unusable.failure(), stopwatch.seconds());
            journal.reported(failed);
            return failed;
        }
    }

    /**
     * Measures one config of a study on its own, in as many rounds as an interval needs. The study stays as it is.
     *
     * @throws InterruptedException when cancelled; no process is left
     */
    public Attempt attempt(String id, StudyRequest request, LoaderConfig config) throws InterruptedException {
        Stopwatch stopwatch = new Stopwatch(clock, 0);
        List<RoundRecord> measured = new ArrayList<>();
        Ask ask = Ask.first(config);
        try (LoaderSession session = loader.open(request.descriptor(), seed(id))) {
            RoundRunner rounds = new RoundRunner(session, machine.get(), SECONDS_OF_AN_ATTEMPT, stopwatch);
            try {
                for (int round = 1; round <= ROUNDS_OF_AN_ATTEMPT; round++) {
                    ask = Ask.repeat(config, round);
                    RoundRunner.Outcome outcome = rounds.measure(ask);
                    measured.add(
                            RoundRecord.of(ask, outcome, outcome.round().measurement(), null, stopwatch.seconds()));
                }
                return new Attempt(measured, null, session.takeLog());
            } catch (TrialFailedException failed) {
                return new Attempt(
                        measured, FailureRecord.of(ask, failed.failure(), 0, stopwatch.seconds()), session.takeLog());
            }
        } catch (TrialFailedException unusable) {
            return new Attempt(
                    measured, FailureRecord.of(ask, unusable.failure(), 0, stopwatch.seconds()), ProcessLog.EMPTY);
        }
    }

    /**
     * Measures the config in use and the baseline in turn, for as long as it takes and at least for three rounds of each, to
     * see whether they still are as fast as they were. A baseline that fails is left out.
     *
     * @param seconds after which no further rounds begin, once there are three
     * @throws TrialFailedException if the dataset cannot be loaded
     * @throws InterruptedException when cancelled; no process is left
     */
    public Canary canary(String id, StudyRequest request, LoaderConfig incumbent, LoaderConfig baseline, double seconds)
            throws TrialFailedException, InterruptedException {
        Stopwatch stopwatch = new Stopwatch(clock, 0);
        try (LoaderSession session = loader.open(request.descriptor(), seed(id))) {
            LoaderFacts facts = session.check(incumbent.batchSize());
            RoundRunner rounds = new RoundRunner(session, machine.get(), SECONDS_OF_AN_ATTEMPT, stopwatch);
            return new CanaryRounds(rounds, incumbent, baseline).measure(facts, stopwatch, seconds);
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
                request.descriptor().ranks(),
                stepAlone,
                seed(id),
                stopwatch.seconds(),
                earlier.recommended(request.descriptor(), type),
                earlier.hung(request.descriptor(), type),
                null);
        journal.prepared(found);
        return found;
    }

    private StudyReport search(
            StudyRequest request,
            Journal journal,
            TuningListener listener,
            StudyReports reports,
            LoaderSession session,
            Preparation prepared,
            Stopwatch stopwatch)
            throws InterruptedException {
        Preparation preparation = prepared;
        SearchSettings settings = StudyPlan.settings(request, preparation);
        SearchProcedure search = new GuardedSearch(settings, request.newSampler());
        Hopelessness hopelessness = new Hopelessness(settings.space(), settings.baseline());
        StudyRounds rounds = new StudyRounds(
                session,
                journal,
                new RoundRunner(
                        session, preparation.machine(), settings.budget().wallSeconds(), stopwatch),
                SampleChecks.of(session, settings.budget()),
                preparation.memoryForecast(),
                stopwatch);
        Optional<LoaderConfig> justMeasured = Optional.empty();
        while (true) {
            Trials trials = new Trials(journal.trials());
            SearchState searched = search.after(trials.observations());
            SearchState state = hopelessness.isReached(trials.records()) ? searched.givenUp() : searched;
            StudyReport report = reports.of(preparation, settings, trials, state, stopwatch.seconds());
            journal.reported(report);
            Optional<Preparation> told = Optional.of(preparation);
            justMeasured
                    .flatMap(trials::of)
                    .ifPresent(trial -> listener.roundEnded(TrialReport.of(trial, told), report));
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
                boolean measured = rounds.measure(ask, number, trials.of(ask.config()));
                if (measured
                        && preparation.examination() == null
                        && ask.config().numWorkers() > 0) {
                    Optional<Examination> examination =
                            new WorkerExamination(settings, preparation, trials).of(session, ask.config());
                    if (examination.isPresent()) {
                        preparation = preparation.with(examination.get());
                        journal.prepared(preparation);
                    }
                    rounds.keepLog(number);
                }
            }
            justMeasured = Optional.of(ask.config());
        }
    }

    private static boolean hasDiedTooOften(Trials trials, Ask ask) {
        return trials.of(ask.config()).map(TrialRecord::openAttempts).orElse(0) >= DEATHS_THAT_END_A_TRIAL;
    }

    private static FailureRecord died(Ask ask, Stopwatch stopwatch) {
        TrialFailure failure = TrialFailure.of(
                FailureReason.PROBE_LOST,
                "the tuner was killed %d times while this config was being measured; it is not tried again"
                        .formatted(DEATHS_THAT_END_A_TRIAL),
                Map.of(KnownHang.TUNER_DEATHS, DEATHS_THAT_END_A_TRIAL));
        return new FailureRecord(ask.phase(), ask.round(), failure, 0, stopwatch.seconds());
    }

    /** The same for every run of one study, so that a study that goes on takes the same way. */
    private static long seed(String id) {
        return id.hashCode() & 0x7fffffffL;
    }
}
