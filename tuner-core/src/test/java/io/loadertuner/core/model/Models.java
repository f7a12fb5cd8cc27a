package io.loadertuner.core.model;

import io.loadertuner.core.space.LoaderConfig;
import java.util.List;

/** Models and configs for tests, each with one thing that costs. */
final class Models {
    static final int BATCH = 32;

    private Models() {}

    static ModelledDataset costing(double cpuSeconds, double waitSeconds) {
        return new ModelledDataset("test", SampleCost.constant(cpuSeconds), SampleCost.constant(waitSeconds), 1_000, 0);
    }

    static LoaderModel on(ModelledMachine machine, ModelledDataset dataset) {
        return new LoaderModel(machine, dataset, ModelledStep.none());
    }

    static LoaderConfig workers(int workers) {
        return workers(workers, 2);
    }

    static LoaderConfig workers(int workers, int prefetch) {
        return LoaderConfig.of(workers, prefetch, false, BATCH, false, null);
    }

    static LoaderConfig pinned(int workers) {
        return LoaderConfig.of(workers, 2, true, BATCH, false, null);
    }

    static double rate(LoaderModel model, LoaderConfig config) {
        return model.steadyRate(config).orElseThrow();
    }

    static List<Long> arrivals(ModelledRun run) {
        return ((ModelledRun.Delivered) run).arrivalsMicros();
    }
}
