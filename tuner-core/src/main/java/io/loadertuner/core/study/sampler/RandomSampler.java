package io.loadertuner.core.study.sampler;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Ask;
import io.loadertuner.core.study.Proposal;
import io.loadertuner.core.study.Sampler;
import io.loadertuner.core.study.SamplerView;
import java.util.List;

/**
 * Random search without repeats: every setting's value drawn independently (Bergstra and Bengio, "Random Search for
 * Hyper-Parameter Optimization", 2012), after the configs known to be good. Ends when no config is left.
 */
public final class RandomSampler implements Sampler {

    @Override
    public Proposal propose(SamplerView view) {
        List<LoaderConfig> known = view.untriedWarmStarts();
        if (!known.isEmpty()) {
            return new Proposal.Measure(Ask.first(known.get(0)));
        }
        List<LoaderConfig> untried = view.untried();
        return untried.isEmpty()
                ? new Proposal.Exhausted()
                : new Proposal.Measure(Ask.first(RandomDraw.from(untried, view.space(), view.random())));
    }

    @Override
    public String toString() {
        return "random";
    }
}
