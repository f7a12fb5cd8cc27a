package io.loadertuner.core.study;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import io.loadertuner.core.space.Setting;
import io.loadertuner.core.study.Replay.Pending;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The batch size, varied last and together with the neighbours in workers, because the two interact: without workers a
 * smaller batch may stay in the processor's cache.
 */
final class BatchSizeSearch {
    private BatchSizeSearch() {}

    static Front run(Search search, Front front) throws Pending {
        LoaderConfig leader = front.leader();
        List<LoaderConfig> variants = new ArrayList<>();
        for (int batch : search.settings().space().batchSize()) {
            if (batch != leader.batchSize()) {
                for (int workers : neighbours(search.settings(), leader)) {
                    variants.add(variant(search.settings(), leader, workers, batch));
                }
            }
        }
        return SettingSearch.run(search, front, Setting.BATCH_SIZE, Phase.BATCH_SIZE, variants);
    }

    /** The best config measured at each batch size of the space, in ascending order of batch size. */
    static List<LoaderConfig> bestByBatchSize(Search search) {
        List<LoaderConfig> best = new ArrayList<>();
        for (int batch : search.settings().space().batchSize()) {
            List<LoaderConfig> ofThisSize = search.replay().measured().stream()
                    .filter(config -> config.batchSize() == batch)
                    .toList();
            Ranking.byRate(ofThisSize, search.replay()).stream().findFirst().ifPresent(best::add);
        }
        return best;
    }

    private static Set<Integer> neighbours(SearchSettings settings, LoaderConfig leader) {
        List<Integer> ladder = WorkerSearch.ladder(settings);
        Set<Integer> neighbours = new LinkedHashSet<>();
        neighbours.add(leader.numWorkers());
        neighbours.add(ladder.get(0));
        ladder.stream()
                .filter(workers -> workers < leader.numWorkers())
                .reduce((lower, higher) -> higher)
                .ifPresent(neighbours::add);
        ladder.stream()
                .filter(workers -> workers > leader.numWorkers())
                .findFirst()
                .ifPresent(neighbours::add);
        return neighbours;
    }

    static LoaderConfig variant(SearchSettings settings, LoaderConfig leader, int workers, int batch) {
        SearchSpace space = settings.space();
        Integer prefetch = leader.prefetchFactor();
        return space.config(
                workers,
                prefetch == null ? OneAtATime.startingPrefetch(settings) : prefetch,
                leader.pinMemory(),
                batch);
    }
}
