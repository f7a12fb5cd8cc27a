package io.loadertuner.core.replay;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A surface and one config more, made up: a baseline outside of the space that is slower than the best of the space by a
 * share that is given. Its rounds vary as much as those of the nearest config of the space, and take as long but for the
 * rate.
 */
public final class SurfaceWithBaseline implements Surface {
    private final Surface surface;
    private final LoaderConfig baseline;
    private final LoaderConfig nearest;
    private final double samplesPerSecond;

    /**
     * @param baseline with workers, and not in {@code space}
     * @param below what the baseline lacks of the best rate in {@code space}: 0.1 is 10 %; from 0 to below 1
     * @throws IllegalArgumentException if it has no workers, is in the space, or the share is out of range
     */
    public SurfaceWithBaseline(Surface surface, SearchSpace space, LoaderConfig baseline, double below) {
        if (baseline.numWorkers() == 0 || space.contains(baseline)) {
            throw new IllegalArgumentException("a made-up baseline has workers and is not in the space, but this is "
                    + baseline.describe() + "; take another prefetch factor, such as 3");
        }
        if (!(below >= 0 && below < 1)) {
            throw new IllegalArgumentException(
                    "a baseline is below the best by a share from 0 to below 1, but is " + below);
        }
        this.surface = surface;
        this.baseline = baseline;
        this.nearest = space.nearest(baseline);
        this.samplesPerSecond = (1 - below) * surface.bestSamplesPerSecond(space);
    }

    @Override
    public double samplesPerSecond(LoaderConfig config) {
        return config.equals(baseline) ? samplesPerSecond : surface.samplesPerSecond(config);
    }

    /** With workers, a job that is slower than its step is as fast as its loader. */
    @Override
    public double loaderAloneSamplesPerSecond(LoaderConfig config) {
        return config.equals(baseline) ? samplesPerSecond : surface.loaderAloneSamplesPerSecond(config);
    }

    @Override
    public OptionalDouble stepSamplesPerSecond(LoaderConfig config) {
        return surface.stepSamplesPerSecond(known(config));
    }

    @Override
    public double overheadSeconds(LoaderConfig config) {
        return surface.overheadSeconds(known(config));
    }

    @Override
    public Optional<RecordedNoise> recordedNoise(LoaderConfig config) {
        return surface.recordedNoise(known(config));
    }

    @Override
    public Optional<String> failure(LoaderConfig config) {
        return config.equals(baseline) ? Optional.empty() : surface.failure(config);
    }

    private LoaderConfig known(LoaderConfig config) {
        return config.equals(baseline) ? nearest : config;
    }
}
