package io.loadertuner.core.replay;

import io.loadertuner.core.space.LoaderConfig;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Rates by a formula; half a second of overhead; a step where one is given. */
record HandMadeSurface(ToDoubleFunction<LoaderConfig> rate, ToDoubleFunction<LoaderConfig> alone, OptionalDouble step)
        implements Surface {

    static HandMadeSurface loaderAlone(ToDoubleFunction<LoaderConfig> rate) {
        return new HandMadeSurface(rate, rate, OptionalDouble.empty());
    }

    @Override
    public double samplesPerSecond(LoaderConfig config) {
        return rate.applyAsDouble(config);
    }

    @Override
    public double loaderAloneSamplesPerSecond(LoaderConfig config) {
        return alone.applyAsDouble(config);
    }

    @Override
    public OptionalDouble stepSamplesPerSecond(LoaderConfig config) {
        return step;
    }

    @Override
    public double overheadSeconds(LoaderConfig config) {
        return 0.5;
    }
}
