package io.loadertuner.core.study.sampler;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Ask;
import io.loadertuner.core.study.Proposal;
import io.loadertuner.core.study.Sampler;
import io.loadertuner.core.study.SamplerView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Every config of the space once, those known to be good first, the others in one random order that the study's seed alone
 * decides: a grid that the budget cuts off has left out no corner of the space, and the machine's drift does not look like
 * the effect of a setting.
 */
public final class GridSampler implements Sampler {

    @Override
    public Proposal propose(SamplerView view) {
        List<LoaderConfig> known = view.untriedWarmStarts();
        if (!known.isEmpty()) {
            return new Proposal.Measure(Ask.first(known.get(0)));
        }
        Set<LoaderConfig> untried = new HashSet<>(view.untried());
        return order(view).stream()
                .filter(untried::contains)
                .findFirst()
                .<Proposal>map(config -> new Proposal.Measure(Ask.first(config)))
                .orElseGet(Proposal.Exhausted::new);
    }

    private static List<LoaderConfig> order(SamplerView view) {
        List<LoaderConfig> configs = new ArrayList<>(view.space().configs());
        Collections.shuffle(
                configs, new Random(new SplittableRandom(view.settings().seed()).nextLong()));
        return configs;
    }

    @Override
    public String toString() {
        return "grid";
    }
}
