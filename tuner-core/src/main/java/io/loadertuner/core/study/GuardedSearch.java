package io.loadertuner.core.study;

import io.loadertuner.core.study.Replay.Pending;
import io.loadertuner.core.study.SearchState.Next;
import java.util.List;

/**
 * What the tuner runs: the baseline several times, then whatever the sampler proposes, then the contenders and the baseline
 * in interleaved rounds. The baseline is left only for what is better beyond noise, whichever sampler searched.
 */
public final class GuardedSearch implements SearchProcedure {
    private final SearchSettings settings;
    private final Exploration exploration;

    public GuardedSearch(SearchSettings settings, Sampler sampler) {
        this.settings = settings;
        this.exploration = sampler instanceof Exploration whole ? whole : new SampledExploration(sampler);
    }

    @Override
    public SearchState after(List<Observation> history) {
        Search search = new Search(settings, history);
        try {
            BaselineProbe.run(search);
            return search.state(new Next.Done(Confirmation.run(search, exploration.explore(search))));
        } catch (Pending pending) {
            return search.state(new Next.Measure(pending.ask()));
        }
    }
}
