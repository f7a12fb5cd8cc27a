package io.loadertuner.core.loader.truth;

import io.loadertuner.core.loader.truth.Deliveries.Batch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A stream against two passes over it without workers. Samples of an iterable have no index: where a pass ends within the
 * bounds, the samples of a pass are compared whatever their order; where it does not, it is looked at whether all workers
 * begin with the same samples.
 */
final class StreamComparison implements Comparison {
    /** Samples of each worker that are compared with those of the others, at most and at least. */
    private static final int MOST_POSITIONS = 16;

    private static final int FEWEST_POSITIONS = 3;

    private static final String HOW_MANY = "how many there are";

    /** Samples at a worker's position that must be the same in all workers, and distinct without workers. */
    private static final double NEARLY_ALL = 0.9;

    /** Who batches for himself may drop a rest in each worker: only a difference as large as this is none of that. */
    private static final double FAR_MORE = 1.5;

    private final Deliveries first;
    private final Deliveries second;
    private final boolean batchesItself;
    private final Set<String> ignored;

    /**
     * @param batchesItself whether the stream yields batches of its own: then the same sample may look different in
     *     another batch, and only counts are compared
     */
    StreamComparison(Deliveries first, Deliveries second, boolean batchesItself) {
        this(first, second, batchesItself, Set.of());
    }

    private StreamComparison(Deliveries first, Deliveries second, boolean batchesItself, Set<String> ignored) {
        this.first = first;
        this.second = second;
        this.batchesItself = batchesItself;
        this.ignored = ignored;
    }

    @Override
    public StreamComparison ignoring(Set<String> more) {
        Set<String> all = new HashSet<>(ignored);
        all.addAll(more);
        return new StreamComparison(first, second, batchesItself, all);
    }

    /**
     * Aspects that depend on which worker reads, as augmentation with a generator that every worker seeds with its number:
     * read in turn without workers, as each of them would, they have values that a plain pass has not. What such a stream
     * has of few values, as labels, may be drawn by the same generator, and is left out where it comes as often no more.
     */
    Set<String> dependingOnWorkers(Deliveries inTurn) {
        Set<String> aspects = aspects(inTurn);
        Set<String> depending = new TreeSet<>(aspects);
        depending.removeIf(aspect -> values(first, aspect).containsAll(values(inTurn, aspect)));
        if (!depending.isEmpty()) {
            Set<String> ofFewValues = new TreeSet<>(varying(first, inTurn));
            ofFewValues.remove(HOW_MANY);
            ofFewValues.removeIf(aspect ->
                    values(first, aspect).size() >= NEARLY_ALL * first.batches().size());
            depending.addAll(ofFewValues);
        }
        return depending;
    }

    /** Whether nothing but how the stream deals its samples out to workers may have made what is different. */
    boolean mayBeDealtOut(Deliveries found, int workers) {
        return !batchesItself
                && workers > 1
                && hasKnownCount()
                && found.samples() < FAR_MORE * first.samples()
                && (!found.ended() || first.samples() < FAR_MORE * found.samples())
                && repeatedByWorkers(found, workers).isEmpty();
    }

    /** Aspects whose values differ between two whole passes, whatever their order; nothing is said of others. */
    static Set<String> varying(Deliveries one, Deliveries other) {
        if (!one.ended() || !other.ended()) {
            return Set.of();
        }
        Set<String> aspects = new TreeSet<>(aspects(one));
        aspects.addAll(aspects(other));
        aspects.removeIf(aspect ->
                counts(one, batch -> value(batch, aspect)).equals(counts(other, batch -> value(batch, aspect))));
        if (one.samples() != other.samples()) {
            aspects.add(HOW_MANY);
        }
        return aspects;
    }

    @Override
    public Set<String> varyingFromFirst(Deliveries other) {
        return varying(first, other);
    }

    @Override
    public Set<String> varyingBetween(Deliveries one, Deliveries other) {
        return varying(one, other);
    }

    /** Samples have no place: several workers deliver no value but those that a single one does. */
    @Override
    public Set<String> fixedInWorkers(List<Deliveries> byOne, List<Deliveries> bySeveral, int workers) {
        if (!Stream.concat(byOne.stream(), bySeveral.stream()).allMatch(Deliveries::ended)) {
            return Set.of();
        }
        Deliveries single = byOne.get(0);
        Set<String> fixed = new TreeSet<>(varying(first, single));
        fixed.remove(HOW_MANY);
        fixed.removeAll(ignored);
        byOne.forEach(other -> fixed.removeAll(varying(single, other)));
        bySeveral.forEach(
                several -> fixed.removeIf(aspect -> !values(single, aspect).containsAll(values(several, aspect))));
        return fixed;
    }

    /** Whether anything could be told of what this config delivered. */
    boolean saysSomething(Deliveries found, int workers) {
        return hasKnownCount() || positions(found, workers) >= FEWEST_POSITIONS || workers == 1;
    }

    @Override
    public Optional<Difference> difference(Deliveries found, int workers) {
        Optional<Difference> repeated = repeatedByWorkers(found, workers);
        if (repeated.isPresent()) {
            return repeated;
        }
        if (!hasKnownCount()) {
            return endedBefore(found);
        }
        return batchesItself ? differentCount(found) : differentSamples(found);
    }

    /** Whether a pass without workers ends within the bounds, after as many samples each time. */
    private boolean hasKnownCount() {
        return first.ended() && second.ended() && first.samples() == second.samples() && !ignored.contains(HOW_MANY);
    }

    private Optional<Difference> endedBefore(Deliveries found) {
        long least = Math.min(first.samples(), second.samples());
        boolean unending = !first.ended() && !second.ended();
        double enough = batchesItself ? least / FAR_MORE : least;
        return found.ended() && unending && found.samples() < enough
                ? Optional.of(missing(found.samples(), "more than " + least, least))
                : Optional.empty();
    }

    private Optional<Difference> differentCount(Deliveries found) {
        long expected = first.samples();
        if (found.samples() >= FAR_MORE * expected) {
            return Optional.of(doubled(found.samples(), expected, found.samples() - expected));
        }
        return found.ended() && found.samples() * FAR_MORE <= expected
                ? Optional.of(missing(found.samples(), String.valueOf(expected), expected))
                : Optional.empty();
    }

    private Optional<Difference> differentSamples(Deliveries found) {
        Set<String> unstable = new HashSet<>(varying(first, second));
        unstable.addAll(ignored);
        Function<Batch, String> identity = batch -> batch.aspectsBut(unstable).toString();
        Map<String, Long> expected = counts(first, identity);
        if (!expected.equals(counts(second, identity))) {
            return differentCountExactly(found);
        }
        Map<String, Long> delivered = counts(found, identity);
        long more = 0;
        long foreign = 0;
        for (Map.Entry<String, Long> sample : delivered.entrySet()) {
            long known = expected.getOrDefault(sample.getKey(), 0L);
            if (known == 0) {
                foreign += sample.getValue();
            } else {
                more += Math.max(0, sample.getValue() - known);
            }
        }
        if (foreign > 0) {
            Map<String, Object> details = countsOf(found);
            details.put("wrong_samples", foreign);
            return Optional.of(new Difference(
                    Difference.Kind.WRONG,
                    "%d of %d samples are none of those that 0 workers read".formatted(foreign, found.samples()),
                    details));
        }
        if (more > 0) {
            return Optional.of(doubled(found.samples(), first.samples(), more));
        }
        return differentCountExactly(found);
    }

    private Optional<Difference> differentCountExactly(Deliveries found) {
        if (found.samples() > first.samples()) {
            return Optional.of(doubled(found.samples(), first.samples(), found.samples() - first.samples()));
        }
        return found.ended() && found.samples() < first.samples()
                ? Optional.of(missing(found.samples(), String.valueOf(first.samples()), first.samples()))
                : Optional.empty();
    }

    /**
     * All workers begin with the same samples, which differ from each other without workers. Whole samples: keys may begin
     * anew in every shard, and labels say little.
     */
    private Optional<Difference> repeatedByWorkers(Deliveries found, int workers) {
        int positions = positions(found, workers);
        if (workers < 2 || positions < FEWEST_POSITIONS) {
            return Optional.empty();
        }
        List<Batch> alone = first.batches().subList(0, Math.min(first.batches().size(), positions * workers));
        long distinct = alone.stream().map(Batch::aspects).distinct().count();
        boolean differ = alone.size() >= FEWEST_POSITIONS && distinct >= NEARLY_ALL * alone.size();
        if (!differ || samePositions(byWorker(found, workers), positions) < NEARLY_ALL * positions) {
            return Optional.empty();
        }
        Map<String, Object> details = countsOf(found);
        details.put("workers", workers);
        details.put("compared_samples_per_worker", positions);
        return Optional.of(new Difference(
                Difference.Kind.DOUBLED,
                "every worker yields the same samples: the first %d of each of %d workers are the same, and differ from each other without workers"
                        .formatted(positions, workers),
                details));
    }

    private static int positions(Deliveries found, int workers) {
        int shortest =
                byWorker(found, workers).stream().mapToInt(List::size).min().orElse(0);
        return Math.min(MOST_POSITIONS, shortest);
    }

    /** What each worker delivered; where nobody says who did, workers take turns. */
    private static List<List<Batch>> byWorker(Deliveries found, int workers) {
        List<List<Batch>> own = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
            own.add(new ArrayList<>());
        }
        for (int number = 0; number < found.batches().size(); number++) {
            Batch batch = found.batches().get(number);
            Integer worker = batch.worker();
            own.get((worker == null ? number : worker) % workers).add(batch);
        }
        return own;
    }

    private static int samePositions(List<List<Batch>> workers, int positions) {
        int same = 0;
        for (int position = 0; position < positions; position++) {
            int at = position;
            if (workers.stream().map(own -> own.get(at).aspects()).distinct().count() == 1) {
                same++;
            }
        }
        return same;
    }

    private Difference doubled(long delivered, long expected, long copies) {
        return new Difference(
                Difference.Kind.DOUBLED,
                "samples come more than once: %d of a pass were delivered, of which 0 workers deliver %d"
                        .formatted(delivered, expected),
                new HashMap<>(Map.of(
                        "delivered_samples", delivered, "expected_samples", expected, "doubled_samples", copies)));
    }

    private static Difference missing(long delivered, String expected, long least) {
        return new Difference(
                Difference.Kind.MISSING,
                "the epoch ended without an error after %d samples, of which 0 workers deliver %s"
                        .formatted(delivered, expected),
                Map.of("delivered_samples", delivered, "expected_samples", least));
    }

    private Map<String, Object> countsOf(Deliveries found) {
        Map<String, Object> counts = new TreeMap<>();
        counts.put("delivered_samples", found.samples());
        if (hasKnownCount()) {
            counts.put("expected_samples", first.samples());
        }
        return counts;
    }

    private static Set<String> aspects(Deliveries pass) {
        Set<String> aspects = new TreeSet<>();
        pass.batches().forEach(batch -> aspects.addAll(batch.aspects().keySet()));
        return aspects;
    }

    private static Set<String> values(Deliveries pass, String aspect) {
        return counts(pass, batch -> value(batch, aspect)).keySet();
    }

    private static String value(Batch batch, String aspect) {
        return String.valueOf(batch.aspects().get(aspect));
    }

    private static Map<String, Long> counts(Deliveries pass, Function<Batch, String> value) {
        Map<String, Long> counts = new HashMap<>();
        pass.batches().forEach(batch -> counts.merge(value.apply(batch), 1L, Long::sum));
        return counts;
    }
}
