package io.loadertuner.core.study;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import io.loadertuner.core.space.Setting;
import io.loadertuner.core.study.Replay.Pending;
import io.loadertuner.core.study.SearchState.Next;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One setting at a time, in the order of expected effect, from a sensible start: workers, prefetch, pinning, batch size;
 * then the contenders and the baseline again. A step moves on the point estimate, carries what it cannot tell and drops
 * what is worse; ties are settled once, at the end.
 */
public final class OneAtATime implements Sampler {
    private final SearchSettings settings;

    public OneAtATime(SearchSettings settings) {
        this.settings = settings;
    }

    @Override
    public SearchState after(List<Observation> history) {
        Search search = new Search(settings, history);
        try {
            return search.state(new Next.Done(run(search)));
        } catch (Pending pending) {
            return search.state(new Next.Measure(pending.ask()));
        }
    }

    private Conclusion run(Search search) throws Pending {
        BaselineProbe.run(search);
        Front front = WorkerSearch.run(search, start());
        front = searchPrefetch(search, front);
        front = searchPinning(search, front);
        if (settings.space().batchSize().size() > 1) {
            front = BatchSizeSearch.run(search, front);
        }
        return Confirmation.run(search, front);
    }

    private LoaderConfig start() {
        SearchSpace space = settings.space();
        return space.config(
                nearest(space.numWorkers(), (int) Math.floor(settings.usableCores())),
                startingPrefetch(settings),
                space.pinMemory().contains(settings.baseline().pinMemory())
                        ? settings.baseline().pinMemory()
                        : space.pinMemory().get(0),
                nearest(space.batchSize(), settings.baseline().batchSize()));
    }

    static int startingPrefetch(SearchSettings settings) {
        return nearest(settings.space().prefetchFactor(), LoaderConfig.DEFAULT_PREFETCH);
    }

    private Front searchPrefetch(Search search, Front front) throws Pending {
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

    private Front searchPinning(Search search, Front front) throws Pending {
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

    private static int nearest(List<Integer> values, int wanted) {
        return values.stream()
                .min(Comparator.comparingInt(value -> Math.abs(value - wanted)))
                .orElseThrow();
    }
}
