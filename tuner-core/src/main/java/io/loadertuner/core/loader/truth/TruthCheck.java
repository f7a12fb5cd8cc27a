package io.loadertuner.core.loader.truth;

import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.truth.Deliveries.Batch;
import io.loadertuner.core.loader.truth.DeliveryReader.Request;
import io.loadertuner.core.space.LoaderConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Compares what a config delivers with what 0 workers do, on few samples and outside of any measured window.
 *
 * <p>What differs from one reading without workers to the next, as random augmentation does, says nothing and is left out.
 * Before anything is called wrong, all is read again: several times without workers, for rare randomness, and twice by a
 * single worker under two seeds, for randomness that comes from the worker's own seed.
 */
public final class TruthCheck {
    private static final int SAMPLES_PER_BATCH = 4;
    private static final int BATCHES = 64;
    private static final int SAMPLES_OF_A_STREAM = 1024;
    private static final int READINGS_IN_DOUBT = 6;
    private static final long SEED = 1;
    private static final long OTHER_SEED = 2;
    private static final String NOT_COMPARED = "the samples were not compared with those of 0 workers: ";
    private static final String DEALT_OUT =
            "; that is how the dataset deals samples out to so many workers: look at what its __iter__ makes of get_worker_info()";

    /** What the loader is built from. */
    public enum Kind {
        /** A dataset that is asked for samples by their index. */
        INDEXED,
        /** An iterable of samples. */
        STREAM,
        /** An iterable of batches. */
        STREAM_OF_BATCHES
    }

    private final DeliveryReader reader;
    private final Kind kind;
    private final Map<Integer, Reference> references = new HashMap<>();
    private final Map<LoaderConfig, Doubt> doubts = new HashMap<>();
    private final Map<Integer, Sharding> shardings = new HashMap<>();

    public TruthCheck(DeliveryReader reader, Kind kind) {
        this.reader = reader;
        this.kind = kind;
    }

    /** Two readings without workers, or why there are none. */
    private record Reference(
            @Nullable Deliveries first,
            @Nullable Deliveries second,
            @Nullable String whyNot) {}

    /**
     * @param atMost time for each of the passes that are read
     * @return what is to be said although nothing is known to be wrong: why it could not be compared, or what workers deliver
     *     otherwise; empty if it was compared, and agrees
     * @throws TrialFailedException {@code wrong_data} if it delivers something else; or what went wrong while it delivered
     */
    public Optional<String> check(LoaderConfig config, Duration atMost)
            throws TrialFailedException, InterruptedException {
        if (config.numWorkers() == 0) {
            return Optional.empty();
        }
        Reference reference = reference(config, atMost);
        Deliveries first = reference.first();
        Deliveries second = reference.second();
        if (first == null || second == null) {
            return Optional.of(NOT_COMPARED + reference.whyNot());
        }
        return kind == Kind.INDEXED
                ? checkIndexed(config, first, second, atMost)
                : checkStream(config, first, second, atMost);
    }

    private Optional<String> checkIndexed(LoaderConfig config, Deliveries first, Deliveries second, Duration atMost)
            throws TrialFailedException, InterruptedException {
        IndexedComparison comparison = new IndexedComparison(first, IndexedComparison.varying(first, second));
        Request these = these(indices(first), atMost, SEED);
        Deliveries found = reader.read(config, these);
        Optional<Difference> difference = comparison.difference(found);
        if (difference.isPresent()) {
            Request otherSeed = these(indices(first), atMost, OTHER_SEED);
            Doubt doubt = inDoubt(config, first, these, these, otherSeed, IndexedComparison::varying);
            Set<String> random = new HashSet<>(doubt.varying());
            doubt.byOneWorker().forEach(one -> random.addAll(comparison.contradicted(one, found)));
            difference = comparison.ignoring(random).difference(found);
        }
        return verdict(config, difference, true);
    }

    private Optional<String> checkStream(LoaderConfig config, Deliveries first, Deliveries second, Duration atMost)
            throws TrialFailedException, InterruptedException {
        StreamComparison comparison = new StreamComparison(first, second, kind == Kind.STREAM_OF_BATCHES);
        Request pass = stream(SEED, SEED, atMost);
        Deliveries found = reader.read(config, pass);
        Optional<Difference> difference = comparison.difference(found, config.numWorkers());
        if (difference.isPresent()) {
            Request otherPass = stream(OTHER_SEED, SEED, atMost);
            Request otherSeed = stream(SEED, OTHER_SEED, atMost);
            Doubt doubt = inDoubt(config, first, otherPass, pass, otherSeed, StreamComparison::varying);
            StreamComparison doubtful = comparison.ignoring(doubt.varying());
            difference = doubtful.difference(found, config.numWorkers());
            if (difference.isPresent() && doubtful.mayBeDealtOut(found, config.numWorkers())) {
                Sharding sharding = sharding(config, comparison, atMost);
                doubtful = doubtful.ignoring(sharding.dependingOnWorkers());
                difference = doubtful.difference(found, config.numWorkers());
                if (difference.isPresent() && difference.get().isOfCount() && sharding.dealsOut(found)) {
                    return Optional.of(difference.get().message() + DEALT_OUT);
                }
            }
        }
        return verdict(config, difference, comparison.saysSomething(found, config.numWorkers()));
    }

    /**
     * How a stream deals its samples out to so many workers, by reading it in turn as each of them would, but without them:
     * whatever is so is no fault of workers.
     *
     * @param samples of all of them; null where that is not known
     */
    private record Sharding(
            Set<String> dependingOnWorkers, @Nullable Long samples) {
        static final Sharding UNKNOWN = new Sharding(Set.of(), null);

        boolean dealsOut(Deliveries found) {
            return found.ended() && samples != null && samples == found.samples();
        }
    }

    private Sharding sharding(LoaderConfig config, StreamComparison comparison, Duration atMost)
            throws InterruptedException {
        int workers = config.numWorkers();
        Sharding known = shardings.get(workers);
        if (known == null) {
            try {
                Request asWorkers = new Request(null, 1, SAMPLES_OF_A_STREAM, SEED, SEED, workers, atMost);
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
     * What is read once something is suspicious.
     *
     * @param varying what differs between readings in which nothing can be wrong: rare randomness shows only in many
     */
    private record Doubt(Set<String> varying, List<Deliveries> byOneWorker) {}

    private Doubt inDoubt(
            LoaderConfig config,
            Deliveries first,
            Request again,
            Request byOneWorker,
            Request byOneWorkerWithOtherSeed,
            BiFunction<Deliveries, Deliveries, Set<String>> varying)
            throws InterruptedException {
        LoaderConfig one = withOneWorker(config);
        Doubt known = doubts.get(one);
        if (known != null) {
            return known;
        }
        Set<String> found = new HashSet<>();
        List<Deliveries> byOne = new ArrayList<>();
        try {
            for (int reading = 0; reading < READINGS_IN_DOUBT; reading++) {
                found.addAll(varying.apply(first, reader.read(withoutWorkers(config), again)));
            }
            byOne.add(reader.read(one, byOneWorker));
            byOne.add(reader.read(one, byOneWorkerWithOtherSeed));
            found.addAll(varying.apply(byOne.get(0), byOne.get(1)));
        } catch (TrialFailedException saysNoMore) {
            // What was seen until then counts.
        }
        Doubt doubt = new Doubt(found, byOne);
        doubts.put(one, doubt);
        return doubt;
    }

    private static Optional<String> verdict(LoaderConfig config, Optional<Difference> difference, boolean compared)
            throws TrialFailedException {
        if (difference.isPresent()) {
            throw new TrialFailedException(difference.get().failureOf(config));
        }
        return compared ? Optional.empty() : Optional.of(NOT_COMPARED + "too few of them came in time to compare");
    }

    private Reference reference(LoaderConfig config, Duration atMost) throws InterruptedException {
        int size = switch (kind) {
            case INDEXED -> samplesPerBatch(config);
            case STREAM -> 1;
            case STREAM_OF_BATCHES -> config.batchSize();
        };
        Reference known = references.get(size);
        if (known == null) {
            known = read(withoutWorkers(config), atMost);
            references.put(size, known);
        }
        return known;
    }

    private Reference read(LoaderConfig inline, Duration atMost) throws InterruptedException {
        try {
            boolean indexed = kind == Kind.INDEXED;
            Deliveries first = reader.read(
                    inline,
                    indexed
                            ? new Request(null, samplesPerBatch(inline), BATCHES, SEED, SEED, 0, atMost)
                            : stream(SEED, SEED, atMost));
            if (first.batches().isEmpty() || first.endedEarly()) {
                return new Reference(null, null, "without workers an epoch ends early too");
            }
            Deliveries second = reader.read(
                    inline, indexed ? these(indices(first), atMost, SEED) : stream(OTHER_SEED, SEED, atMost));
            return new Reference(first, second, null);
        } catch (TrialFailedException failed) {
            return new Reference(
                    null,
                    null,
                    "they cannot be read without workers: " + failed.failure().message());
        }
    }

    private static Request these(List<JsonNode> batches, Duration atMost, long workerSeed) {
        return new Request(batches, SAMPLES_PER_BATCH, batches.size(), SEED, workerSeed, 0, atMost);
    }

    private static Request stream(long seed, long workerSeed, Duration atMost) {
        return new Request(null, 1, SAMPLES_OF_A_STREAM, seed, workerSeed, 0, atMost);
    }

    private static List<JsonNode> indices(Deliveries read) {
        return read.batches().stream()
                .map(Batch::indices)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
    }

    private static int samplesPerBatch(LoaderConfig config) {
        return Math.min(SAMPLES_PER_BATCH, config.batchSize());
    }

    private static LoaderConfig withoutWorkers(LoaderConfig config) {
        return LoaderConfig.of(0, LoaderConfig.DEFAULT_PREFETCH, false, config.batchSize(), false, null);
    }

    private static LoaderConfig withOneWorker(LoaderConfig config) {
        return LoaderConfig.of(
                1,
                LoaderConfig.DEFAULT_PREFETCH,
                false,
                config.batchSize(),
                config.persistentWorkers(),
                config.multiprocessingContext());
    }
}
