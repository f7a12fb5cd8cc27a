package io.loadertuner.core.study.sampler;

import io.loadertuner.core.study.Sampler;
import io.loadertuner.core.study.kit.SamplerKit;

class RandomSamplerContractTest extends SamplerKit {

    @Override
    protected Sampler sampler() {
        return new RandomSampler();
    }
}
