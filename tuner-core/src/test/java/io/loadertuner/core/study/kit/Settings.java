package io.loadertuner.core.study.kit;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import io.loadertuner.core.study.Budget;
import io.loadertuner.core.study.CostOrder;
import io.loadertuner.core.study.SearchSettings;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** What a sampler is asked under, but for the seed. */
record Settings(
        SearchSpace space,
        LoaderConfig baseline,
        Function<LoaderConfig, Optional<String>> infeasible,
        List<LoaderConfig> warmStart,
        OptionalDouble step,
        Budget budget) {
    private static final Budget AMPLE = new Budget(Budget.MAX_SECONDS, Budget.MAX_TRIALS);

    /** Of a space whose first config is the baseline, with more budget than is needed. */
    static Settings of(SearchSpace space) {
        return new Settings(
                space, space.configs().get(0), config -> Optional.empty(), List.of(), OptionalDouble.empty(), AMPLE);
    }

    Settings baseline(LoaderConfig other) {
        return new Settings(space, other, infeasible, warmStart, step, budget);
    }

    Settings infeasible(Function<LoaderConfig, Optional<String>> other) {
        return new Settings(space, baseline, other, warmStart, step, budget);
    }

    Settings warmStart(List<LoaderConfig> configs) {
        return new Settings(space, baseline, infeasible, configs, step, budget);
    }

    /** With a training step that takes in so many samples per second. */
    Settings step(double samplesPerSecond) {
        return new Settings(space, baseline, infeasible, warmStart, OptionalDouble.of(samplesPerSecond), budget);
    }

    Settings budget(int seconds, int trials) {
        return new Settings(space, baseline, infeasible, warmStart, step, new Budget(seconds, trials));
    }

    SearchSettings seed(long seed) {
        return new SearchSettings(
                space, baseline, 4, step, 1_000, infeasible, budget, seed, warmStart, CostOrder.USUAL);
    }
}
