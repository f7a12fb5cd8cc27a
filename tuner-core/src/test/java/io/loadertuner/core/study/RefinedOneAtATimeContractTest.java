package io.loadertuner.core.study;

import io.loadertuner.core.study.kit.SamplerKit;
import io.loadertuner.core.study.sampler.SamplerKind;

class RefinedOneAtATimeContractTest extends SamplerKit {

    @Override
    protected Sampler sampler() {
        return SamplerKind.ONE_AT_A_TIME.create();
    }
}
