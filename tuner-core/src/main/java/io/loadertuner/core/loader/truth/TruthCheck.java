package io.loadertuner.core.loader.truth;

import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.truth.Deliveries.Batch;
import io.loadertuner.core.loader.truth.DeliveryReader.Request;
import io.loadertuner.core.space.LoaderConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Compares what a config delivers with what 0 workers do, on few samples and outside of any measured window.
 *
 * <p>What differs from one reading without workers to the next, as random augmentation does, says nothing and is left out.
 * Before anything is called wrong, all is read again: several times without workers, for rare randomness, and twice by a
 * single worker under two seeds, for randomness that comes from the worker's own seed; and backwards by a process that has
 * read nothing, for randomness that is drawn once and kept. What workers deliver otherwise but the same in every reading is no
 * corruption; it is said.
 */
public final class TruthCheck {
    private static final int SAMPLES_PER_BATCH = 4;
    private static final int BATCHES = 64;
    private static final int SAMPLES_OF_A_STREAM = 1024;
    private static final long SEED = 1;
    private static final long OTHER_SEED = 2;
    private static final String NOT_COMPARED = "the samples were not compared with those of 0 workers: ";
    private static final String FIXED_IN_WORKERS =
            " (differing: %s), but are the same whenever workers read them: see whether that is meant. The dataset or worker_init_fn sets something in workers alone, as a number of threads, or puts the worker's number in, or the dataset is built otherwise each time";
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
    private final Doubts doubts;

    public TruthCheck(DeliveryReader reader, Kind kind) {
        this.reader = reader;
        this.kind = kind;
        this.doubts = new Doubts(reader);
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
        Request these = these(indices(first), atMost, SEED, false);
        Deliveries found = reader.read(config, these);
        if (comparison.difference(found, config.numWorkers()).isEmpty()) {
            return Optional.empty();
        }
        Request otherSeed = these(indices(first), atMost, OTHER_SEED, false);
        Doubts.Doubt doubt = doubts.about(config, comparison, these, these, otherSeed);
        Set<String> random = new HashSet<>(doubt.varyingByOneWorker());
        doubt.byOneWorker().forEach(one -> random.addAll(comparison.contradicted(one, found)));
        Set<String> misplaced = comparison.misplaced(found);
        random.removeAll(misplaced);
        random.addAll(doubt.varying());
        IndexedComparison doubtful = comparison.ignoring(random);
        if (doubtful.difference(found, config.numWorkers()).isPresent()) {
            Deliveries backwards = first.backwards();
            Set<String> byOrder = new HashSet<>(
                    doubts.dependingOnOrder(config, backwards, these(indices(backwards), atMost, SEED, true)));
            byOrder.removeAll(misplaced);
            doubtful = doubtful.ignoring(byOrder);
        }
        return settled(config, doubtful, found, these, these, true);
    }

    private Optional<String> checkStream(LoaderConfig config, Deliveries first, Deliveries second, Duration atMost)
            throws TrialFailedException, InterruptedException {
        int workers = config.numWorkers();
        StreamComparison comparison = new StreamComparison(first, second, kind == Kind.STREAM_OF_BATCHES);
        Request pass = stream(SEED, SEED, 0, atMost);
        Deliveries found = reader.read(config, pass);
        boolean compared = comparison.saysSomething(found, workers);
        if (comparison.difference(found, workers).isEmpty()) {
            return verdict(config, Optional.empty(), compared);
        }
        Request otherPass = stream(OTHER_SEED, SEED, 0, atMost);
        Request otherSeed = stream(SEED, OTHER_SEED, 0, atMost);
        Doubts.Doubt doubt = doubts.about(config, comparison, otherPass, pass, otherSeed);
        StreamComparison doubtful = comparison.ignoring(doubt.varying()).ignoring(doubt.varyingByOneWorker());
        if (doubtful.difference(found, workers).isPresent() && doubtful.mayBeDealtOut(found, workers)) {
            Doubts.Sharding sharding = doubts.sharding(config, comparison, stream(SEED, SEED, workers, atMost));
            doubtful = doubtful.ignoring(sharding.dependingOnWorkers());
            Optional<Difference> difference = doubtful.difference(found, workers);
            if (difference.isPresent() && difference.get().isOfCount() && sharding.dealsOut(found, first)) {
                return Optional.of(difference.get().message() + DEALT_OUT);
            }
        }
        return settled(config, doubtful, found, otherPass, pass, compared);
    }

    /**
     * What is said once all is left out that is known to be random.
     *
     * @param inline what is read without workers
     * @param byWorkers what was read by those of the config
     */
    private Optional<String> settled(
            LoaderConfig config,
            Comparison comparison,
            Deliveries found,
            Request inline,
            Request byWorkers,
            boolean compared)
            throws TrialFailedException, InterruptedException {
        int workers = config.numWorkers();
        if (comparison.difference(found, workers).isEmpty()) {
            return verdict(config, Optional.empty(), compared);
        }
        Comparison later = comparison.ignoring(doubts.later(config, comparison, inline));
        Optional<Difference> difference = later.difference(found, workers);
        Set<String> fixed = difference.isEmpty() ? Set.of() : doubts.fixedInWorkers(config, later, found, byWorkers);
        Optional<Difference> wrong = later.ignoring(fixed).difference(found, workers);
        return wrong.isEmpty() && difference.isPresent()
                ? Optional.of(difference.get().message() + FIXED_IN_WORKERS.formatted(String.join(", ", fixed)))
                : verdict(config, wrong, compared);
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
            known = read(Doubts.withoutWorkers(config), atMost);
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
                            ? new Request(null, samplesPerBatch(inline), BATCHES, SEED, SEED, 0, false, atMost)
                            : stream(SEED, SEED, 0, atMost));
            if (first.batches().isEmpty() || first.endedEarly()) {
                return new Reference(null, null, "without workers an epoch ends early too");
            }
            Deliveries second = reader.read(
                    inline, indexed ? these(indices(first), atMost, SEED, false) : stream(OTHER_SEED, SEED, 0, atMost));
            return new Reference(first, second, null);
        } catch (TrialFailedException failed) {
            return new Reference(
                    null,
                    null,
                    "they cannot be read without workers: " + failed.failure().message());
        }
    }

    private static Request these(List<JsonNode> batches, Duration atMost, long workerSeed, boolean afresh) {
        return new Request(batches, SAMPLES_PER_BATCH, batches.size(), SEED, workerSeed, 0, afresh, atMost);
    }

    private static Request stream(long seed, long workerSeed, int inTurnAs, Duration atMost) {
        return new Request(null, 1, SAMPLES_OF_A_STREAM, seed, workerSeed, inTurnAs, false, atMost);
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
}
