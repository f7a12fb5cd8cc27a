package io.loadertuner.core.loader.truth;

import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.truth.DeliveryReader.Request;
import io.loadertuner.core.space.LoaderConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is read once something looks wrong. Where a reading fails, what was seen until then counts. */
final class Doubts {
    private static final int READINGS_WITHOUT_WORKERS = 6;
    private static final int READINGS_BY_SEVERAL = 3;
    private static final String FORK = "fork";

    private final DeliveryReader reader;
    private final Map<LoaderConfig, Doubt> doubts = new HashMap<>();
    private final Map<LoaderConfig, Set<String>> dependingOnOrder = new HashMap<>();
    private final Map<Integer, Sharding> shardings = new HashMap<>();

    Doubts(DeliveryReader reader) {
        this.reader = reader;
    }

    /**
     * @param varying what differs between readings without workers, in which nothing can be wrong: rare randomness shows only
     *     in many
     * @param varyingByOneWorker what differs between those by one worker, by its seed as a rule
     */
    record Doubt(Set<String> varying, Set<String> varyingByOneWorker, List<Deliveries> byOneWorker) {}

    /**
     * How a stream deals its samples out to so many workers, by reading it in turn as each of them would, but without them:
     * whatever is so is no fault of workers.
     *
     * @param samples of all of them; null where that is not known
     */
    record Sharding(
            Set<String> dependingOnWorkers, @Nullable Long samples) {
        static final Sharding UNKNOWN = new Sharding(Set.of(), null);

        /** Whether so many of a pass come by the dataset's own doing, which without workers has others. */
        boolean dealsOut(Deliveries found, Deliveries plain) {
            return found.ended() && samples != null && samples == found.samples() && samples != plain.samples();
        }
    }

    Doubt about(
            LoaderConfig config,
            Comparison comparison,
            Request inline,
            Request byOneWorker,
            Request byOneWorkerWithOtherSeed)
            throws InterruptedException {
        LoaderConfig one = withWorkers(config, 1, config.multiprocessingContext());
        Doubt known = doubts.get(one);
        if (known != null) {
            return known;
        }
        Set<String> varying = new HashSet<>();
        Set<String> varyingByOne = new HashSet<>();
        List<Deliveries> byOne = new ArrayList<>();
        try {
            for (int reading = 0; reading < READINGS_WITHOUT_WORKERS; reading++) {
                varying.addAll(comparison.varyingFromFirst(reader.read(withoutWorkers(config), inline)));
            }
            byOne.add(reader.read(one, byOneWorker));
            byOne.add(reader.read(one, byOneWorkerWithOtherSeed));
            varyingByOne.addAll(comparison.varyingBetween(byOne.get(0), byOne.get(1)));
        } catch (TrialFailedException saysNoMore) {
            // As said above.
        }
        Doubt doubt = new Doubt(varying, varyingByOne, byOne);
        doubts.put(one, doubt);
        return doubt;
    }

    /** What has changed by now without workers, as a time of day in samples: earlier readings do not show that. */
    Set<String> later(LoaderConfig config, Comparison comparison, Request inline) throws InterruptedException {
        try {
            return comparison.varyingFromFirst(reader.read(withoutWorkers(config), inline));
        } catch (TrialFailedException saysNothing) {
            return Set.of();
        }
    }

    /**
     * What without workers depends on the order in which samples are read: random numbers that are drawn in turn, and kept with
     * the sample that they were drawn for. Workers read in other orders. Read once: the process that reads must be a new one.
     *
     * @param backwards the same batches, the last of them first, as read after the others
     * @param request reads them so in a process that has read nothing
     */
    Set<String> dependingOnOrder(LoaderConfig config, Deliveries backwards, Request request)
            throws InterruptedException {
        LoaderConfig inline = withoutWorkers(config);
        Set<String> known = dependingOnOrder.get(inline);
        if (known == null) {
            try {
                known = IndexedComparison.varying(backwards, reader.read(inline, request));
            } catch (TrialFailedException saysNothing) {
                known = Set.of();
            }
            dependingOnOrder.put(inline, known);
        }
        return known;
    }

    Sharding sharding(LoaderConfig config, StreamComparison comparison, Request asWorkers) throws InterruptedException {
        int workers = config.numWorkers();
        Sharding known = shardings.get(workers);
        if (known == null) {
            try {
                Deliveries inTurn = reader.read(withoutWorkers(config), asWorkers);
                known = new Sharding(comparison.dependingOnWorkers(inTurn), inTurn.ended() ? inTurn.samples() : null);
            } catch (TrialFailedException saysNothing) {
                known = Sharding.UNKNOWN;
            }
            shardings.put(workers, known);
        }
        return known;
    }

    /**
     * Aspects that workers deliver otherwise than 0 workers, but the same whenever they are read and however workers are
     * started. A handle that workers share has them differ from reading to reading; what a started worker lacks, a forked one
     * has.
     */
    Set<String> fixedInWorkers(LoaderConfig config, Comparison comparison, Deliveries found, Request byWorkers)
            throws InterruptedException {
        String context = config.multiprocessingContext();
        Doubt doubt = doubts.getOrDefault(withWorkers(config, 1, context), new Doubt(Set.of(), Set.of(), List.of()));
        LoaderConfig several = config.numWorkers() > 1 ? config : withWorkers(config, 2, context);
        List<Deliveries> byOne = new ArrayList<>(doubt.byOneWorker());
        List<Deliveries> bySeveral = new ArrayList<>();
        (config.numWorkers() > 1 ? bySeveral : byOne).add(found);
        if (doubt.byOneWorker().isEmpty()) {
            return Set.of();
        }
        Set<String> fixed = comparison.fixedInWorkers(byOne, bySeveral, several.numWorkers());
        try {
            if (!fixed.isEmpty()) {
                byOne.add(reader.read(withWorkers(config, 1, FORK), byWorkers));
                fixed = comparison.fixedInWorkers(byOne, bySeveral, several.numWorkers());
            }
            while (!fixed.isEmpty() && bySeveral.size() < READINGS_BY_SEVERAL) {
                bySeveral.add(reader.read(several, byWorkers));
                fixed = comparison.fixedInWorkers(byOne, bySeveral, several.numWorkers());
            }
            return fixed;
        } catch (TrialFailedException cannotBeTold) {
            return Set.of();
        }
    }

    static LoaderConfig withoutWorkers(LoaderConfig config) {
        return LoaderConfig.of(0, LoaderConfig.DEFAULT_PREFETCH, false, config.batchSize(), false, null);
    }

    private static LoaderConfig withWorkers(LoaderConfig config, int workers, @Nullable String context) {
        return LoaderConfig.of(
                workers, LoaderConfig.DEFAULT_PREFETCH, false, config.batchSize(), config.persistentWorkers(), context);
    }
}
