package io.loadertuner.core.study;

import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * What a sampler sees.
 *
 * @param told every observation so far, in the order of telling
 * @param pending asks that were given out and not told yet
 * @param passedOver configs that must not be measured in this study, or no more
 */
public record SamplerView(
        SearchSettings settings, List<Observation> told, Set<Ask> pending, Set<LoaderConfig> passedOver) {

    public SamplerView {
        told = List.copyOf(told);
        pending = Set.copyOf(pending);
        passedOver = Set.copyOf(passedOver);
    }

    public SearchSpace space() {
        return settings.space();
    }

    /** Configs of the space that may be proposed, never were and would not fail as others did, in the order of the space. */
    public List<LoaderConfig> untried() {
        Set<LoaderConfig> closed = new LinkedHashSet<>(passedOver);
        told.forEach(observation -> closed.add(observation.ask().config()));
        pending.forEach(ask -> closed.add(ask.config()));
        Lessons lessons = Lessons.of(told);
        return space().configs().stream()
                .filter(config -> !closed.contains(config)
                        && settings.infeasible().apply(config).isEmpty()
                        && lessons.obstacle(config).isEmpty())
                .toList();
    }

    /**
     * Configs to begin with: those known to be good from earlier studies that may be proposed and never were, the best
     * first.
     */
    public List<LoaderConfig> untriedWarmStarts() {
        if (settings.warmStart().isEmpty()) {
            return List.of();
        }
        List<LoaderConfig> untried = untried();
        return settings.warmStart().stream().filter(untried::contains).toList();
    }

    /** Median rate of every config that worked, in samples per second, in the order of first tells. */
    public Map<LoaderConfig, Double> rates() {
        Map<LoaderConfig, List<Double>> all = new LinkedHashMap<>();
        Set<LoaderConfig> failed = new LinkedHashSet<>();
        for (Observation observation : told) {
            LoaderConfig config = observation.ask().config();
            Double rate = observation.samplesPerSecond();
            if (rate == null) {
                failed.add(config);
            } else if (observation.ask().withStep()) {
                all.computeIfAbsent(config, any -> new ArrayList<>()).add(rate);
            }
        }
        Map<LoaderConfig, Double> medians = new LinkedHashMap<>();
        all.forEach((config, rates) -> {
            if (!failed.contains(config)) {
                medians.put(config, Throughput.median(rates));
            }
        });
        return medians;
    }

    /** Random numbers that depend on the study's seed and on how much has been asked, and on nothing else. */
    public RandomGenerator random() {
        return new SplittableRandom(new SplittableRandom(settings.seed()).nextLong() + told.size() + pending.size());
    }
}
