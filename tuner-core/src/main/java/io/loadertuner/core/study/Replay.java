package io.loadertuner.core.study;

import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Runs a search written as straight-line code over a history: what was observed is answered at once; the first ask that
 * was not ends the run with {@link Pending}. Time is the history's own, so a run over the same history takes the same
 * way.
 */
final class Replay {

    /** The first ask that the history does not answer. */
    static final class Pending extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Ask ask;

        Pending(Ask ask) {
            super(ask.toString(), null, false, false);
            this.ask = ask;
        }

        Ask ask() {
            return ask;
        }
    }

    private static final double FIRST_GUESS_OF_OVERHEAD_SECONDS = 1.0;

    private final Map<Ask, Observation> history = new HashMap<>();
    private final Map<LoaderConfig, List<Double>> rates = new LinkedHashMap<>();
    private final Map<LoaderConfig, Double> medians = new HashMap<>();
    private final Set<LoaderConfig> tried = new LinkedHashSet<>();
    private final Set<LoaderConfig> failed = new LinkedHashSet<>();
    private final Lessons lessons = new Lessons();
    private final Set<Observation> seen = new LinkedHashSet<>();
    private double elapsedSeconds;
    private double overheadSeconds;
    private int overheadsSeen;

    Replay(List<Observation> observations) {
        observations.forEach(observation -> history.putIfAbsent(observation.ask(), observation));
    }

    /** The rate that was observed; empty if the config fails. */
    OptionalDouble measure(Ask ask) throws Pending {
        LoaderConfig config = ask.config();
        if (failed.contains(config)) {
            return OptionalDouble.empty();
        }
        Observation observation = history.get(ask);
        if (observation == null) {
            throw new Pending(ask);
        }
        seen.add(observation);
        tried.add(config);
        lessons.add(observation);
        elapsedSeconds = Math.max(elapsedSeconds, observation.elapsedSeconds());
        Double rate = observation.samplesPerSecond();
        if (rate == null) {
            failed.add(config);
            return OptionalDouble.empty();
        }
        overheadSeconds +=
                Math.max(0, observation.costSeconds() - ask.plan().predictedSeconds(config.batchSize(), rate));
        overheadsSeen++;
        if (ask.withStep()) {
            rates.computeIfAbsent(config, any -> new ArrayList<>()).add(rate);
            medians.remove(config);
        }
        return OptionalDouble.of(rate);
    }

    /** The observations that this run has come to so far, in the order of its asks. */
    List<Observation> seen() {
        return List.copyOf(seen);
    }

    double elapsedSeconds() {
        return elapsedSeconds;
    }

    int trials() {
        return tried.size();
    }

    boolean wasTried(LoaderConfig config) {
        return tried.contains(config);
    }

    boolean hasFailed(LoaderConfig config) {
        return failed.contains(config);
    }

    /** Why, by the failures that this run has come to, the config would fail; empty where nothing says so. */
    Optional<String> lesson(LoaderConfig config) {
        return lessons.obstacle(config);
    }

    List<Double> rates(LoaderConfig config) {
        return List.copyOf(rates.getOrDefault(config, List.of()));
    }

    Set<LoaderConfig> measured() {
        return rates.keySet();
    }

    /** Median rate of a config over all its rounds; empty if it has none. */
    OptionalDouble rate(LoaderConfig config) {
        List<Double> own = rates.get(config);
        return own == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(medians.computeIfAbsent(config, any -> Throughput.median(own)));
    }

    /** What the ask will probably cost in wall time; by the fastest config seen where this one is new. */
    double expectedSeconds(Ask ask) {
        double overhead = overheadsSeen == 0 ? FIRST_GUESS_OF_OVERHEAD_SECONDS : overheadSeconds / overheadsSeen;
        double rate = rate(ask.config()).orElseGet(this::fastestRate);
        double measuring = rate > 0
                ? ask.plan().predictedSeconds(ask.config().batchSize(), rate)
                : ask.plan().warmupSeconds() + ask.plan().windowSeconds();
        return overhead + measuring;
    }

    private double fastestRate() {
        return rates.keySet().stream()
                .mapToDouble(config -> rate(config).orElse(0))
                .max()
                .orElse(0);
    }
}
