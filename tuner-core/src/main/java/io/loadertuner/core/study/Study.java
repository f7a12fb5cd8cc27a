package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Asks for trials and is told what came of them, as in Optuna.
 *
 * <pre>{@code
 * Study study = Study.create(space, Direction.MAXIMIZE);
 * for (Optional<Trial> trial = study.ask(); trial.isPresent(); trial = study.ask()) {
 *     study.tell(trial.get(), Outcome.value(samplesPerSecond(trial.get().config())));
 * }
 * LoaderConfig best = study.bestTrial().config();
 * }</pre>
 *
 * <p>Several trials may be open at once and be told in any order, as far as the sampler can go on without them. Not safe
 * for use by several threads.
 */
public final class Study {
    private final Direction direction;
    private final Sampler sampler;
    private final Pruner pruner;
    private final Map<LoaderConfig, Trial> trials = new LinkedHashMap<>();
    private final List<Observation> told = new ArrayList<>();
    private SearchSettings settings;
    private double elapsedSeconds;

    private Study(Builder builder) {
        this.direction = builder.direction;
        this.sampler = builder.sampler;
        this.pruner = builder.pruner;
        this.settings = builder.settings();
    }

    /** One setting at a time, with a futility pruner and seed 0. */
    public static Study create(SearchSpace space, Direction direction) {
        return builder(space, direction).build();
    }

    public static Builder builder(SearchSpace space, Direction direction) {
        return new Builder(space, direction);
    }

    /** What a study is made of. */
    public static final class Builder {
        private static final Budget UNLIMITED = new Budget(Budget.MAX_SECONDS, Budget.MAX_TRIALS);

        private final SearchSpace space;
        private final Direction direction;
        private Sampler sampler = new OneAtATime();
        private Pruner pruner = new FutilityPruner();
        private LoaderConfig baseline;
        private double usableCores;
        private long seed;
        private List<LoaderConfig> warmStart = List.of();

        private Builder(SearchSpace space, Direction direction) {
            this.space = space;
            this.direction = direction;
            this.baseline = space.configs().get(0);
            this.usableCores = space.numWorkers().get(space.numWorkers().size() - 1);
        }

        public Builder sampler(Sampler chosen) {
            sampler = chosen;
            return this;
        }

        public Builder pruner(Pruner chosen) {
            pruner = chosen;
            return this;
        }

        /** What a search starts from; the first config of the space where none is given. */
        public Builder baseline(LoaderConfig config) {
            baseline = config;
            return this;
        }

        /**
         * Cores that the machine really gives.
         *
         * @param cores above 0; the most workers of the space where none is given
         */
        public Builder usableCores(double cores) {
            usableCores = cores;
            return this;
        }

        public Builder seed(long chosen) {
            seed = chosen;
            return this;
        }

        /** Configs known to be good, the best first; each is moved to the nearest config of the space. */
        public Builder warmStart(List<LoaderConfig> configs) {
            warmStart = List.copyOf(configs);
            return this;
        }

        public Study build() {
            return new Study(this);
        }

        private SearchSettings settings() {
            return new SearchSettings(
                    space,
                    baseline,
                    Math.max(1, usableCores),
                    OptionalDouble.empty(),
                    0,
                    config -> Optional.empty(),
                    UNLIMITED,
                    seed,
                    warmStart,
                    CostOrder.USUAL);
        }
    }

    /**
     * The next trial to measure; empty when the sampler wants nothing more.
     *
     * @throws IllegalStateException if the sampler needs the outcome of an open trial first, or proposes one that is open
     */
    public Optional<Trial> ask() {
        Proposal proposal = sampler.propose(view());
        if (proposal instanceof Proposal.AwaitOutcome) {
            throw new IllegalStateException("tell one of these trials first: "
                    + open().map(trial -> String.valueOf(trial.number())).collect(Collectors.joining(", ")));
        }
        if (!(proposal instanceof Proposal.Measure measure)) {
            return Optional.empty();
        }
        Ask ask = measure.ask();
        Trial known = trials.get(ask.config());
        if (known == null) {
            known = new Trial(this, trials.size() + 1, ask);
            trials.put(ask.config(), known);
        } else if (known.state() == TrialState.RUNNING) {
            throw new IllegalStateException("the sampler proposes trial " + known.number() + ", which is open");
        } else {
            known.askedAgain(ask);
        }
        return Optional.of(known);
    }

    /** What came of a trial that took no time worth counting. */
    public void tell(Trial trial, Outcome outcome) {
        tell(trial, outcome, Duration.ZERO);
    }

    /**
     * What came of a trial.
     *
     * @param took time that it took
     * @throws IllegalStateException if it is not open, or was pruned without a report
     */
    public void tell(Trial trial, Outcome outcome, Duration took) {
        if (trials.get(trial.config()) != trial || trial.state() != TrialState.RUNNING) {
            throw new IllegalStateException("trial " + trial.number() + " is not an open trial of this study");
        }
        double seconds = took.toNanos() / 1e9;
        if (outcome instanceof Outcome.Failed failed) {
            add(new Observation(trial.ask(), null, failed.reason(), seconds, elapsedSeconds + seconds));
            trial.ended(TrialState.FAILED);
            return;
        }
        boolean pruned = outcome instanceof Outcome.Pruned;
        if (pruned && trial.lastReport().isEmpty()) {
            throw new IllegalStateException("trial " + trial.number() + " was pruned before it reported a value");
        }
        double value = outcome instanceof Outcome.Value measured
                ? measured.value()
                : trial.lastReport().orElseThrow();
        add(new Observation(trial.ask(), direction.asRate(value), null, seconds, elapsedSeconds + seconds));
        trial.ended(pruned ? TrialState.PRUNED : TrialState.COMPLETE);
    }

    private void add(Observation observation) {
        told.add(observation);
        elapsedSeconds = observation.elapsedSeconds();
    }

    /**
     * Asks, measures and tells until the sampler wants nothing more or the budget is spent. What the objective throws
     * ends it; the trial that it was thrown for counts as never asked for.
     *
     * @param budget of the whole study: what was told before, or restored, counts
     * @param clock tells what trials took
     * @throws IllegalStateException if the sampler needs the outcome of a trial that was open before
     * @throws InterruptedException if the objective was interrupted
     */
    public void optimize(Objective objective, Budget budget, InstantSource clock) throws InterruptedException {
        settings = settings.within(budget);
        Optional<Trial> trial = ask();
        try {
            while (trial.isPresent() && elapsedSeconds < budget.wallSeconds() && trials.size() <= budget.maxTrials()) {
                Instant begun = clock.instant();
                Outcome outcome = objective.measure(trial.get());
                tell(trial.get(), outcome, Duration.between(begun, clock.instant()));
                trial = ask();
            }
        } finally {
            trial.filter(asked -> asked.state() == TrialState.RUNNING).ifPresent(this::withdraw);
        }
    }

    private void withdraw(Trial trial) {
        if (trial.isRepeat()) {
            trial.withdrawn();
        } else {
            trials.remove(trial.config());
        }
    }

    /** Every trial so far, in the order of their numbers. */
    public Collection<Trial> trials() {
        return List.copyOf(trials.values());
    }

    /** What was told, in the order of telling. Values are rates: the larger the better. */
    public List<Observation> told() {
        return List.copyOf(told);
    }

    /** What a study is restored from. A round that is open counts as never asked for. */
    public StoredStudy stored() {
        return new StoredStudy(
                told,
                trials.values().stream()
                        .filter(Trial::isRepeat)
                        .map(Trial::stored)
                        .toList());
    }

    /**
     * Takes in an earlier study of the same space, before anything is asked.
     *
     * @throws IllegalStateException if something has been asked or restored already
     */
    public void restore(StoredStudy stored) {
        if (!trials.isEmpty()) {
            throw new IllegalStateException("a study can be restored only before its first ask");
        }
        for (Observation observation : stored.told()) {
            Ask ask = observation.ask();
            Trial trial = trials.get(ask.config());
            if (trial == null) {
                trial = new Trial(this, trials.size() + 1, ask);
                trials.put(ask.config(), trial);
            } else {
                trial.askedAgain(ask);
            }
            trial.ended(observation.failure() == null ? TrialState.COMPLETE : TrialState.FAILED);
            add(observation);
        }
        for (StoredStudy.StoredTrial trial : stored.trials()) {
            Optional.ofNullable(trials.get(trial.config())).ifPresent(known -> known.restored(trial));
        }
    }

    /**
     * The best by the median of its rounds, those that failed left out.
     *
     * @throws NoSuchElementException if none has been measured
     */
    public Trial bestTrial() {
        Map<LoaderConfig, Double> rates = view().rates();
        return trials.values().stream()
                .filter(trial -> rates.containsKey(trial.config()))
                .max(Comparator.comparingDouble((Trial trial) -> rates.getOrDefault(trial.config(), 0.0)))
                .orElseThrow(() -> new NoSuchElementException("no trial has been measured"));
    }

    /**
     * The value of the best trial, in the unit in which it was told.
     *
     * @throws NoSuchElementException if none has been measured
     */
    public double bestValue() {
        LoaderConfig best = bestTrial().config();
        return direction.asRate(view().rates().getOrDefault(best, Double.NaN));
    }

    boolean isTold(LoaderConfig config) {
        return told.stream().anyMatch(observation -> observation.ask().config().equals(config));
    }

    boolean prunes(Trial trial) {
        PairedRounds<Integer> reports = new PairedRounds<>();
        for (Trial other : trials.values()) {
            other.reports()
                    .forEach((step, value) ->
                            reports.add(String.valueOf(step), other.number(), direction.asRate(value)));
        }
        return pruner.prunes(trial.number(), reports);
    }

    private SamplerView view() {
        return new SamplerView(settings, told, pending(), Set.of());
    }

    private Set<Ask> pending() {
        return open().map(Trial::ask).collect(Collectors.toSet());
    }

    private Stream<Trial> open() {
        return trials.values().stream().filter(trial -> trial.state() == TrialState.RUNNING);
    }
}
