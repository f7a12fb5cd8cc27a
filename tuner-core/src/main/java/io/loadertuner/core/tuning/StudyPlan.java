package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import io.loadertuner.core.study.Budget;
import io.loadertuner.core.study.CostOrder;
import io.loadertuner.core.study.SearchSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** From a request and what was found on this machine to the settings of a search. */
final class StudyPlan {
    private static final List<Integer> PREFETCH = List.of(1, 2, 4, 8);
    private static final List<Integer> BATCH_SIZES = List.of(32, 64, 128, 256);
    private static final int WORKERS_PER_CORE = 4;

    private StudyPlan() {}

    static SearchSettings settings(StudyRequest request, Preparation found) {
        SpaceRequest asked = request.space() == null ? SpaceRequest.ANY : request.space();
        BaselineRequest today = request.baseline() == null ? BaselineRequest.PYTORCH_DEFAULTS : request.baseline();
        Constraints constraints = request.constraints() == null ? Constraints.NONE : request.constraints();
        LoaderConfig baseline = withFrozenBatchSize(baseline(today, asked), found.facts());
        int ranks = request.descriptor().ranks();
        CudaObstacles cuda = new CudaObstacles(found.facts());
        Feasibility feasibility = new Feasibility(found.machine(), found.facts(), constraints, ranks);
        Double stepAlone = found.stepSamplesPerSecond();
        Long sampleBytes = found.facts().sampleBytes();
        return new SearchSettings(
                space(asked, today, baseline, found, ranks),
                baseline,
                found.machine().usableCores() / ranks,
                stepAlone == null ? OptionalDouble.empty() : OptionalDouble.of(stepAlone),
                sampleBytes == null ? 0 : sampleBytes,
                config -> cuda.obstacle(config)
                        .or(() -> feasibility.obstacle(config))
                        .or(() -> hang(found, baseline, config)),
                request.budget() == null ? Budget.DEFAULT : request.budget(),
                found.seed(),
                found.warmStart(),
                request.costOrder() == null ? CostOrder.USUAL : CostOrder.named(request.costOrder()));
    }

    /** The baseline is what the user runs today: it is measured in any case. */
    private static Optional<String> hang(Preparation found, LoaderConfig baseline, LoaderConfig config) {
        return config.equals(baseline)
                ? Optional.empty()
                : found.hung().stream()
                        .filter(known -> known.config().equals(config))
                        .findFirst()
                        .map(KnownHang::describe);
    }

    /** Where the user's own loader makes the batches, the batch size is what it made. */
    private static LoaderConfig withFrozenBatchSize(LoaderConfig config, LoaderFacts facts) {
        return facts.batchSizeFrozenBy() == null
                ? config
                : new LoaderConfig(
                        config.numWorkers(),
                        config.prefetchFactor(),
                        config.pinMemory(),
                        Math.toIntExact(facts.batchSamples()),
                        config.persistentWorkers(),
                        config.nonBlocking(),
                        config.multiprocessingContext());
    }

    /** The baseline with PyTorch's defaults for what is left out, at the first batch size of the space. */
    static LoaderConfig baseline(BaselineRequest today, SpaceRequest space) {
        int workers = today.numWorkers() == null ? 0 : today.numWorkers();
        Integer prefetch = today.prefetchFactor();
        if (workers > 0 && prefetch == null) {
            prefetch = LoaderConfig.DEFAULT_PREFETCH;
        }
        boolean persistent = today.persistentWorkers() == null
                ? workers > 0 && !Boolean.FALSE.equals(space.persistentWorkers())
                : today.persistentWorkers();
        boolean pinned = Boolean.TRUE.equals(today.pinMemory());
        String context = today.multiprocessingContext();
        if (context == null && workers > 0) {
            context = space.multiprocessingContext();
        }
        try {
            return new LoaderConfig(
                    workers, prefetch, pinned, firstBatchSize(today, space), persistent, pinned, context);
        } catch (InvalidFieldException invalid) {
            throw invalid.inside("baseline");
        }
    }

    /** Refuses values that no machine could make sense of, before anything runs. */
    static void checkSpace(SpaceRequest asked) {
        try {
            new SearchSpace(
                    values(asked.numWorkers(), List.of(0)),
                    values(asked.prefetchFactor(), PREFETCH),
                    asked.pinMemory() == null ? List.of(false, true) : asked.pinMemory(),
                    values(asked.batchSize(), BATCH_SIZES),
                    true,
                    asked.multiprocessingContext());
            LoaderConfig.of(1, 1, false, 1, true, asked.multiprocessingContext());
        } catch (InvalidFieldException invalid) {
            throw invalid.inside("space");
        }
    }

    private static SearchSpace space(
            SpaceRequest asked, BaselineRequest today, LoaderConfig baseline, Preparation found, int ranks) {
        List<Boolean> pinning = asked.pinMemory() == null ? List.of(false, true) : asked.pinMemory();
        if (found.facts().samplesOnGpu()) {
            pinning = List.of(false);
        } else if (!found.facts().onGpu()) {
            pinning = List.of(baseline.pinMemory());
        }
        List<Integer> anyBatch = today.batchSize() == null ? BATCH_SIZES : List.of(today.batchSize());
        List<Integer> prefetch = values(asked.prefetchFactor(), PREFETCH);
        List<Integer> batchSizes = found.facts().batchSizeFrozenBy() == null
                ? values(asked.batchSize(), withinLength(anyBatch, found, ranks))
                : List.of(baseline.batchSize());
        int mostNumbers =
                Math.max(1, SearchSpace.MOST_CONFIGS / (prefetch.size() * pinning.size() * batchSizes.size()));
        return new SearchSpace(
                values(asked.numWorkers(), anyWorkers(found.machine().usableCores() / ranks, mostNumbers)),
                prefetch,
                pinning,
                batchSizes,
                !Boolean.FALSE.equals(asked.persistentWorkers()),
                asked.multiprocessingContext() == null
                        ? baseline.multiprocessingContext()
                        : asked.multiprocessingContext());
    }

    /** From 0 upward, every one or, where that is more numbers than wanted, as many as are. */
    private static List<Integer> anyWorkers(double cores, int mostNumbers) {
        int most = (int) Math.min(LoaderConfig.MAX_WORKERS, Math.max(1, Math.floor(WORKERS_PER_CORE * cores)));
        int stride = (most + mostNumbers) / mostNumbers;
        return IntStream.rangeClosed(0, most)
                .filter(workers -> workers % stride == 0)
                .boxed()
                .toList();
    }

    private static List<Integer> withinLength(List<Integer> batchSizes, Preparation found, int ranks) {
        Long length = found.facts().indexedLength();
        List<Integer> fitting = new ArrayList<>(batchSizes);
        if (length != null) {
            fitting.removeIf(batch -> batch > length / ranks);
        }
        return fitting.isEmpty() ? batchSizes : fitting;
    }

    private static int firstBatchSize(BaselineRequest today, SpaceRequest space) {
        if (today.batchSize() != null) {
            return today.batchSize();
        }
        IntegerRange asked = space.batchSize();
        return asked == null ? BATCH_SIZES.get(0) : asked.values().get(0);
    }

    private static List<Integer> values(@Nullable IntegerRange asked, List<Integer> otherwise) {
        return asked == null ? otherwise : asked.values();
    }
}
