package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.measure.Verdict;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.Setting;
import io.loadertuner.core.study.Replay.Pending;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A first look at the largest batch size, before the numbers of workers are climbed: where handing a batch over costs more than
 * loading it, they are climbed in vain at a small one. It moves only where the difference is plain; for the rest the batch size is
 * varied last.
 */
final class BatchSizeGlance {
    private BatchSizeGlance() {}

    /**
     * @param start where the search of the workers would begin
     * @return where it is to begin: there, or with the largest batch size
     */
    static LoaderConfig run(Search search, LoaderConfig start) throws Pending {
        Optional<LoaderConfig> largest = largest(search.settings(), start);
        if (largest.isEmpty()) {
            return start;
        }
        LoaderConfig large = largest.get();
        PairedRounds<LoaderConfig> rounds = new PairedRounds<>();
        search.explorePaired(List.of(start, large), Phase.WORKERS, 1, rounds);
        Optional<Ratio> ratio = rounds.ratio(large, start);
        if (ratio.isEmpty()) {
            return rounds.contenders().contains(large) ? large : start;
        }
        boolean moves = ratio.get().verdict() == Verdict.BETTER;
        explain(search, start, large, ratio.get(), moves);
        return moves ? large : start;
    }

    private static Optional<LoaderConfig> largest(SearchSettings settings, LoaderConfig start) {
        return settings.space().batchSize().stream()
                .filter(batch -> batch > start.batchSize())
                .map(batch -> BatchSizeSearch.variant(settings, start, start.numWorkers(), batch))
                .filter(config -> settings.infeasible().apply(config).isEmpty())
                .max(Comparator.comparingInt(LoaderConfig::batchSize));
    }

    private static void explain(Search search, LoaderConfig small, LoaderConfig large, Ratio ratio, boolean moves) {
        String compared = "at a first look %s against %s, %s"
                .formatted(large.describe(), small.describe(), Sentences.ratio(ratio));
        search.explain(new Explanation(
                Setting.BATCH_SIZE.parameterName(),
                Setting.BATCH_SIZE.valueIn(small),
                Setting.BATCH_SIZE.valueIn(moves ? large : small),
                ratio,
                moves ? Explanation.Decision.MOVED : Explanation.Decision.STAYED,
                moves
                        ? "batch_size %d → %d: %s".formatted(small.batchSize(), large.batchSize(), compared)
                        : "batch_size stays %d for now: %s".formatted(small.batchSize(), compared)));
    }
}
