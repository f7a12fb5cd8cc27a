package io.loadertuner.core.study;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Builds {@link SearchSettings}: eight cores, batch 64, no step, the default budget, where nothing else is said. */
final class Settings {
    private List<Integer> workers = List.of(0, 1, 2, 3, 4, 6, 8);
    private List<Integer> prefetch = List.of(1, 2, 4, 8);
    private List<Boolean> pinning = List.of(false);
    private List<Integer> batches = List.of(64);
    private LoaderConfig baseline = config(0);
    private double cores = 8;
    private OptionalDouble step = OptionalDouble.empty();
    private Function<LoaderConfig, Optional<String>> infeasible = config -> Optional.empty();
    private Budget budget = Budget.DEFAULT;
    private List<LoaderConfig> warmStart = List.of();
    private CostOrder costOrder = CostOrder.USUAL;

    static Settings settings() {
        return new Settings();
    }

    /** Prefetch 2 and batch 64. */
    static LoaderConfig config(int workers) {
        return config(workers, 64);
    }

    static LoaderConfig config(int workers, int batch) {
        return LoaderConfig.of(workers, 2, false, batch, true, null);
    }

    Settings workers(List<Integer> values) {
        workers = values;
        return this;
    }

    Settings prefetch(Integer... values) {
        prefetch = List.of(values);
        return this;
    }

    Settings pinning(Boolean... values) {
        pinning = List.of(values);
        return this;
    }

    Settings batches(Integer... values) {
        batches = List.of(values);
        return this;
    }

    Settings baseline(LoaderConfig config) {
        baseline = config;
        return this;
    }

    Settings cores(double usable) {
        cores = usable;
        return this;
    }

    Settings step(OptionalDouble samplesPerSecond) {
        step = samplesPerSecond;
        return this;
    }

    Settings infeasible(Function<LoaderConfig, Optional<String>> reason) {
        infeasible = reason;
        return this;
    }

    Settings budget(int seconds, int trials) {
        budget = new Budget(seconds, trials);
        return this;
    }

    Settings warmStart(LoaderConfig... configs) {
        warmStart = List.of(configs);
        return this;
    }

    Settings costOrder(CostOrder order) {
        costOrder = order;
        return this;
    }

    SearchSettings seed(long seed) {
        SearchSpace space = new SearchSpace(workers, prefetch, pinning, batches, true, null);
        return new SearchSettings(
                space, baseline, cores, step, 150_528, infeasible, budget, seed, warmStart, costOrder);
    }
}
