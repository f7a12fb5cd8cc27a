package io.loadertuner.core.study;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import io.loadertuner.core.space.Setting;
import io.loadertuner.core.study.Replay.Pending;
import java.util.ArrayList;
import java.util.List;

/**
 * One setting at a time, in the order of expected effect: workers, prefetch, pinning, batch size. It starts from what is
 * known to be good, else from one worker per core, with the baseline's batch size unless a far larger one is plainly better. A step moves on the point estimate, carries what it cannot tell and
 * drops what is worse; ties are settled once, at the end. Where budget is left, another sampler may look for settings that
 * only pay together.
 */
public final class OneAtATime implements Sampler, Exploration {
    private final Sampler refinement;

    /** Ends when every setting has been varied. */
    public OneAtATime() {
        this(view -> new Proposal.Exhausted());
    }

    /** @param refinement proposes what to look at then, where budget is left; a sampler that knows no phases */
    public OneAtATime(Sampler refinement) {
        this.refinement = refinement;
    }

    /** Without a baseline of its own: for a study that only asks and tells. */
    @Override
    public Proposal propose(SamplerView view) {
        Search search = new Search(view.settings().excluding(view.passedOver()), view.told(), view.pending());
        try {
            explore(search);
            return new Proposal.Exhausted();
        } catch (Pending next) {
            return view.pending().contains(next.ask()) ? new Proposal.AwaitOutcome() : new Proposal.Measure(next.ask());
        }
    }

    @Override
    public Front explore(Search search) throws Pending {
        SearchSettings settings = search.settings();
        Front front = WorkerSearch.run(search, BatchSizeGlance.run(search, start(settings)));
        front = searchPrefetch(search, front);
        front = searchPinning(search, front);
        if (settings.space().batchSize().size() > 1) {
            front = BatchSizeSearch.run(search, front);
        }
        return Refinement.run(search, front, refinement);
    }

    private static LoaderConfig start(SearchSettings settings) {
        return settings.warmStart().stream()
                .filter(config -> settings.infeasible().apply(config).isEmpty())
                .findFirst()
                .orElseGet(() -> usualStart(settings));
    }

    private static LoaderConfig usualStart(SearchSettings settings) {
        SearchSpace space = settings.space();
        LoaderConfig likeBaseline = space.nearest(settings.baseline());
        return space.config(
                SearchSpace.nearest(space.numWorkers(), (int) Math.floor(settings.usableCores())),
                startingPrefetch(settings),
                likeBaseline.pinMemory(),
                likeBaseline.batchSize());
    }

    static int startingPrefetch(SearchSettings settings) {
        return SearchSpace.nearest(settings.space().prefetchFactor(), LoaderConfig.DEFAULT_PREFETCH);
    }

    private static Front searchPrefetch(Search search, Front front) throws Pending {
        SearchSettings settings = search.settings();
        List<Integer> values = settings.space().prefetchFactor();
        if (values.size() < 2) {
            return front;
        }
        LoaderConfig leader = front.leader();
        if (!settings.withStep()) {
            SettingSearch.explainNotSearched(
                    search,
                    Setting.PREFETCH_FACTOR,
                    leader,
                    "a loader that nothing but the next batch waits for keeps its queue empty at any depth; give the descriptor a step");
            return front;
        }
        if (leader.numWorkers() == 0) {
            SettingSearch.explainNotSearched(
                    search, Setting.PREFETCH_FACTOR, leader, "without workers there is nothing to prefetch");
            return front;
        }
        List<LoaderConfig> variants = new ArrayList<>();
        for (int value : values) {
            LoaderConfig variant =
                    settings.space().config(leader.numWorkers(), value, leader.pinMemory(), leader.batchSize());
            if (!variant.equals(leader)) {
                variants.add(variant);
            }
        }
        return SettingSearch.run(search, front, Setting.PREFETCH_FACTOR, Phase.PREFETCH_FACTOR, variants);
    }

    private static Front searchPinning(Search search, Front front) throws Pending {
        SearchSettings settings = search.settings();
        if (settings.space().pinMemory().size() < 2) {
            return front;
        }
        LoaderConfig leader = front.leader();
        Integer prefetch = leader.prefetchFactor();
        LoaderConfig variant = settings.space()
                .config(
                        leader.numWorkers(),
                        prefetch == null ? startingPrefetch(settings) : prefetch,
                        !leader.pinMemory(),
                        leader.batchSize());
        return SettingSearch.run(search, front, Setting.PIN_MEMORY, Phase.PIN_MEMORY, List.of(variant));
    }
}
