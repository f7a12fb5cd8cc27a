package io.loadertuner.core.study;

import io.loadertuner.core.study.kit.SamplerKit;

class OneAtATimeContractTest extends SamplerKit {

    @Override
    protected Sampler sampler() {
        return new OneAtATime();
    }
}
