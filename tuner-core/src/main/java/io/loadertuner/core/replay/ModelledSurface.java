package io.loadertuner.core.replay;

import io.loadertuner.core.model.LoaderModel;
import io.loadertuner.core.model.ModelledFailure;
import io.loadertuner.core.model.ModelledLength;
import io.loadertuner.core.model.ModelledRun;
import io.loadertuner.core.model.ModelledStep;
import io.loadertuner.core.space.LoaderConfig;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;

/** What a model says of every config, each worked out once. Nothing of it was measured. */
public final class ModelledSurface implements Surface {
    /** Rate of a config that fails: nothing comes of it, but a rate is above 0. */
    private static final double RATE_OF_A_FAILURE = 1;

    /**
     * Stopping workers as recorded with arrays in memory: 0.04 s for one, 0.11 s for six. Decoded images took about twice
     * to four times as long.
     */
    private static final double SHUTDOWN_SECONDS = 0.02;

    private static final double SHUTDOWN_SECONDS_PER_WORKER = 0.015;
    private static final long SEED_OF_FIRST_BATCHES = 1;

    private final LoaderModel model;
    private final LoaderModel loaderAlone;
    private final Map<LoaderConfig, Double> rates = new ConcurrentHashMap<>();
    private final Map<LoaderConfig, Double> ratesAlone = new ConcurrentHashMap<>();
    private final Map<LoaderConfig, Double> overheads = new ConcurrentHashMap<>();

    public ModelledSurface(LoaderModel model) {
        this.model = model;
        this.loaderAlone = new LoaderModel(model.machine(), model.dataset(), ModelledStep.none());
    }

    /** Works out many configs now, on all cores, rather than each when it is first asked for. */
    public void prepare(Collection<LoaderConfig> configs) {
        configs.parallelStream().forEach(this::samplesPerSecond);
    }

    @Override
    public double samplesPerSecond(LoaderConfig config) {
        return rates.computeIfAbsent(config, asked -> model.steadyRate(asked).orElse(RATE_OF_A_FAILURE));
    }

    @Override
    public double loaderAloneSamplesPerSecond(LoaderConfig config) {
        return ratesAlone.computeIfAbsent(
                config, asked -> loaderAlone.steadyRate(asked).orElse(RATE_OF_A_FAILURE));
    }

    @Override
    public OptionalDouble stepSamplesPerSecond(LoaderConfig config) {
        double ofOneRank = model.step().samplesPerSecond(config.batchSize());
        return ofOneRank == Double.POSITIVE_INFINITY
                ? OptionalDouble.empty()
                : OptionalDouble.of(model.machine().ranks() * ofOneRank);
    }

    @Override
    public double overheadSeconds(LoaderConfig config) {
        // Without workers the warm-up begins with the loader, so its first batch is no time of its own.
        return config.numWorkers() == 0
                ? 0
                : overheads.computeIfAbsent(
                        config,
                        asked -> firstBatchSeconds(asked)
                                + SHUTDOWN_SECONDS
                                + asked.numWorkers() * SHUTDOWN_SECONDS_PER_WORKER);
    }

    /** From {@code iter()}, so the start of all workers is in it. */
    private double firstBatchSeconds(LoaderConfig config) {
        ModelledRun run = loaderAlone.run(config, ModelledLength.ofBatches(1), SEED_OF_FIRST_BATCHES);
        return run instanceof ModelledRun.Delivered delivered
                ? delivered.arrivalsMicros().get(0) / 1e6
                : config.numWorkers() * model.machine().workerStartSeconds();
    }

    @Override
    public Optional<String> failure(LoaderConfig config) {
        return model.failure(config).map(ModelledFailure::code);
    }
}
