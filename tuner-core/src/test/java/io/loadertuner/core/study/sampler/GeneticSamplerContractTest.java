package io.loadertuner.core.study.sampler;

import io.loadertuner.core.study.Sampler;
import io.loadertuner.core.study.kit.SamplerKit;

class GeneticSamplerContractTest extends SamplerKit {

    @Override
    protected Sampler sampler() {
        return new GeneticSampler();
    }
}
