package io.loadertuner.core.study;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.SearchState.Next;
import io.loadertuner.core.study.sampler.SamplerKind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A model of a machine with a loader and, where wanted, a training step. Nothing is loaded and no time passes: a round's
 * rate is the true rate of its config, times log-normal noise that every round has anew, times a drift that neighbouring
 * rounds share (it forgets itself within 90 simulated seconds). Everything follows from the seed.
 */
final class SimulatedMachine {
    private static final double DRIFT_MEMORY_SECONDS = 90;
    private static final double SECONDS_TO_FAIL = 3;
    private static final int MORE_ASKS_THAN_ANY_STUDY_NEEDS = 2_000;

    /** What the step does to a batch that has arrived varies little: it is not the loader. */
    private static final double STEP_NOISE = 0.005;

    private final ToDoubleFunction<LoaderConfig> loaderRate;
    private double stepRate = Double.POSITIVE_INFINITY;
    private double noise = 0.07;
    private double drift = 0.10;
    private double overheadSeconds = 0.4;
    private Predicate<Ask> fails = ask -> false;
    private String failure = "worker_crashed";

    private SimulatedMachine(ToDoubleFunction<LoaderConfig> loaderRate) {
        this.loaderRate = loaderRate;
    }

    /** With the noise of a shared machine: 7 % per round and a drift of 10 %. */
    static SimulatedMachine whoseLoaderDelivers(ToDoubleFunction<LoaderConfig> samplesPerSecond) {
        return new SimulatedMachine(samplesPerSecond);
    }

    SimulatedMachine withStepTakingIn(double samplesPerSecond) {
        stepRate = samplesPerSecond;
        return this;
    }

    SimulatedMachine withNoise(double perRound, double sharedByNeighbours) {
        noise = perRound;
        drift = sharedByNeighbours;
        return this;
    }

    SimulatedMachine withOverheadSeconds(double perTrial) {
        overheadSeconds = perTrial;
        return this;
    }

    SimulatedMachine failingAt(Predicate<Ask> asks) {
        fails = asks;
        return this;
    }

    SimulatedMachine failingWith(String name, Predicate<LoaderConfig> configs) {
        failure = name;
        return failingAt(ask -> configs.test(ask.config()));
    }

    /** A study from its first ask to its conclusion. */
    SimulatedStudy run(SearchSettings settings, long seed) {
        return run(settings, SamplerKind.ONE_AT_A_TIME.create(), seed);
    }

    SimulatedStudy run(SearchSettings settings, Sampler sampler, long seed) {
        SearchProcedure search = new GuardedSearch(settings, sampler);
        Random random = new Random(31 * seed + 7);
        List<Observation> history = new ArrayList<>();
        List<SearchState> states = new ArrayList<>();
        double elapsed = 0;
        double mood = random.nextGaussian() * drift;
        while (history.size() < MORE_ASKS_THAN_ANY_STUDY_NEEDS) {
            SearchState state = search.after(history);
            states.add(state);
            if (!(state.next() instanceof Next.Measure measure)) {
                return new SimulatedStudy(settings, List.copyOf(history), List.copyOf(states));
            }
            Ask ask = measure.ask();
            boolean failed = fails.test(ask);
            double rate = rate(ask, Math.exp(random.nextGaussian() * noise + mood), random.nextGaussian());
            double cost = overheadSeconds * (0.8 + 0.4 * random.nextDouble())
                    + (failed
                            ? SECONDS_TO_FAIL
                            : ask.plan().predictedSeconds(ask.config().batchSize(), rate));
            elapsed += cost;
            double kept = Math.exp(-cost / DRIFT_MEMORY_SECONDS);
            mood = mood * kept + random.nextGaussian() * drift * Math.sqrt(1 - kept * kept);
            history.add(
                    failed
                            ? new Observation(ask, null, failure, cost, elapsed)
                            : new Observation(ask, rate, null, cost, elapsed));
        }
        throw new AssertionError("the search does not end: " + history.size() + " rounds and still asking");
    }

    private double rate(Ask ask, double luck, double stepLuck) {
        double loader = loaderRate.applyAsDouble(ask.config()) * luck;
        if (!ask.withStep()) {
            return loader;
        }
        double step = stepRate * Math.exp(stepLuck * STEP_NOISE);
        return ask.config().numWorkers() == 0 ? 1 / (1 / loader + 1 / step) : Math.min(loader, step);
    }

    OptionalDouble stepRate() {
        return Double.isInfinite(stepRate) ? OptionalDouble.empty() : OptionalDouble.of(stepRate);
    }

    /** What a study asked, what it got, and what it said after each answer. */
    record SimulatedStudy(SearchSettings settings, List<Observation> history, List<SearchState> states) {

        SearchState end() {
            return states.get(states.size() - 1);
        }

        Conclusion conclusion() {
            return ((Next.Done) end().next()).conclusion();
        }

        @Nullable
        Recommendation recommendation() {
            return conclusion().recommendation();
        }

        List<Ask> asks() {
            return history.stream().map(Observation::ask).toList();
        }

        /** Seconds from the study's beginning to that of its last round. */
        double lastRoundBegan() {
            Observation last = history.get(history.size() - 1);
            return last.elapsedSeconds() - last.costSeconds();
        }

        /** How often a config was measured against the others in the end. */
        long confirmingRounds(LoaderConfig config) {
            return history.stream()
                    .filter(seen -> seen.failure() == null && seen.ask().phase() == Phase.CONFIRM)
                    .filter(seen -> seen.ask().config().equals(config))
                    .count();
        }

        /** The configs that gave a rate with the step and never failed. */
        Set<LoaderConfig> working() {
            Set<LoaderConfig> working = new LinkedHashSet<>();
            history.stream()
                    .filter(seen -> seen.failure() == null && seen.ask().withStep())
                    .forEach(seen -> working.add(seen.ask().config()));
            history.stream()
                    .filter(seen -> seen.failure() != null)
                    .forEach(seen -> working.remove(seen.ask().config()));
            return working;
        }

        @Override
        public String toString() {
            return "study with seed " + settings.seed() + ": " + history.size() + " rounds, " + conclusion();
        }
    }
}
