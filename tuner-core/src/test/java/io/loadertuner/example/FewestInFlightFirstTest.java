package io.loadertuner.example;

import io.loadertuner.core.study.Sampler;
import io.loadertuner.core.study.kit.SamplerKit;

class FewestInFlightFirstTest extends SamplerKit {

    @Override
    protected Sampler sampler() {
        return new FewestInFlightFirst();
    }

    @Override
    protected boolean dependsOnSeed() {
        return false;
    }
}
