package io.loadertuner.core.study;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * What a search is given before its first ask.
 *
 * @param baseline what the user runs today; need not be in the space
 * @param usableCores cores that this machine really gives, above 0
 * @param stepSamplesPerSecond what the training step alone takes in at the baseline's batch size; empty without a step
 * @param sampleBytes size of one sample, for the order of cost; 0 if unknown
 * @param infeasible why a config must not be tried; empty where it may be. Must be a function of its argument alone
 * @param seed of the random orders
 * @param warmStart configs known to be good from earlier studies, of this or another machine type, the best first; each is
 *     moved to the nearest config of the space
 * @param costOrder which of configs that cannot be told apart is the cheapest
 */
public record SearchSettings(
        SearchSpace space,
        LoaderConfig baseline,
        double usableCores,
        OptionalDouble stepSamplesPerSecond,
        long sampleBytes,
        Function<LoaderConfig, Optional<String>> infeasible,
        Budget budget,
        long seed,
        List<LoaderConfig> warmStart,
        CostOrder costOrder) {

    public SearchSettings {
        warmStart = warmStart.stream().map(space::nearest).distinct().toList();
    }

    /** The same settings with another budget. */
    SearchSettings within(Budget other) {
        return new SearchSettings(
                space,
                baseline,
                usableCores,
                stepSamplesPerSecond,
                sampleBytes,
                infeasible,
                other,
                seed,
                warmStart,
                costOrder);
    }

    /** The same settings where these configs must not be tried either. */
    SearchSettings excluding(Set<LoaderConfig> configs) {
        if (configs.isEmpty()) {
            return this;
        }
        return new SearchSettings(
                space,
                baseline,
                usableCores,
                stepSamplesPerSecond,
                sampleBytes,
                config -> configs.contains(config) ? Optional.of("it was passed over") : infeasible.apply(config),
                budget,
                seed,
                warmStart,
                costOrder);
    }

    /** By what they take, ties of rate apart. */
    Comparator<LoaderConfig> cheapestFirst() {
        return costOrder.cheapestFirst(sampleBytes);
    }

    public boolean withStep() {
        return stepSamplesPerSecond.isPresent();
    }
}
