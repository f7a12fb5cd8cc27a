package io.loadertuner.core.loader.truth;

import io.loadertuner.core.loader.truth.Deliveries.Batch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Batches of a map-style dataset against the same batches read without workers. */
final class IndexedComparison implements Comparison {
    private static final int MOST_INDICES = 16;
    private static final int MOST_EXAMPLES = 3;

    /** Samples that must differ from each other for their content to tell which one it is. */
    private static final double NEARLY_ALL = 0.9;

    /** Batches of each of several workers that tell whether it reads as a single one does. */
    private static final int LEAST_OF_A_WORKER = 2;

    private final Deliveries reference;
    private final Set<String> ignored;

    /**
     * @param ignored aspects that differ from one reading to the next and so say nothing
     */
    IndexedComparison(Deliveries reference, Set<String> ignored) {
        this.reference = reference;
        this.ignored = Set.copyOf(ignored);
    }

    /** Aspects that differ anywhere between two readings of the same batches. */
    static Set<String> varying(Deliveries one, Deliveries other) {
        Set<String> varying = new TreeSet<>();
        for (int number = 0; number < common(one, other); number++) {
            varying.addAll(differing(
                    one.batches().get(number).aspects(),
                    other.batches().get(number).aspects()));
        }
        return varying;
    }

    /**
     * Aspects that differ in a batch which one worker read, while several workers delivered that batch as it should be: a
     * fault of workers would be one in both. A generator that each worker has in the same state does this.
     */
    Set<String> contradicted(Deliveries byOneWorker, Deliveries found) {
        Set<String> contradicted = new TreeSet<>();
        for (int number = 0; number < Math.min(common(reference, byOneWorker), common(reference, found)); number++) {
            Set<String> apart = differing(number, byOneWorker);
            apart.removeAll(differing(number, found));
            contradicted.addAll(apart);
        }
        return contradicted;
    }

    @Override
    public IndexedComparison ignoring(Set<String> more) {
        Set<String> all = new LinkedHashSet<>(ignored);
        all.addAll(more);
        return new IndexedComparison(reference, all);
    }

    /**
     * Aspects in which a sample has what another one has without workers, where nearly all differ: chance does not do that,
     * but a buffer that is overwritten while it waits to be sent does.
     */
    Set<String> misplaced(Deliveries found) {
        Set<String> misplaced = new TreeSet<>();
        for (String aspect : varyingFromFirst(found)) {
            List<String> expected = contents(reference, aspect, common(reference, found));
            List<String> delivered = contents(found, aspect, common(reference, found));
            Set<String> known = new HashSet<>(expected);
            boolean tellsSamples = known.size() >= NEARLY_ALL * expected.size();
            for (int sample = 0; sample < Math.min(expected.size(), delivered.size()) && tellsSamples; sample++) {
                String content = delivered.get(sample);
                if (known.contains(content) && !content.equals(expected.get(sample))) {
                    misplaced.add(aspect);
                }
            }
        }
        return misplaced;
    }

    /** Of each sample, or of each batch where the dataset makes them. */
    private static List<String> contents(Deliveries read, String aspect, int batches) {
        return read.batches().stream()
                .limit(batches)
                .flatMap(batch -> {
                    List<String> digests = batch.aspects().getOrDefault(aspect, List.of());
                    JsonNode indices = batch.indices();
                    return indices != null && indices.isArray()
                            ? digests.stream()
                            : Stream.of(String.join(" ", digests));
                })
                .toList();
    }

    @Override
    public Set<String> varyingFromFirst(Deliveries other) {
        return varying(reference, other);
    }

    @Override
    public Set<String> varyingBetween(Deliveries one, Deliveries other) {
        return varying(one, other);
    }

    @Override
    public Set<String> fixedInWorkers(List<Deliveries> byOne, List<Deliveries> bySeveral, int workers) {
        Deliveries single = byOne.get(0);
        Set<String> fixed = new TreeSet<>();
        Stream.concat(byOne.stream(), bySeveral.stream()).forEach(found -> fixed.addAll(varyingFromFirst(found)));
        fixed.removeAll(ignored);
        byOne.forEach(other -> fixed.removeAll(varying(single, other)));
        for (Deliveries several : bySeveral) {
            fixed.removeAll(varying(bySeveral.get(0), several));
            if (common(single, several) < LEAST_OF_A_WORKER * workers) {
                return Set.of();
            }
            for (int worker = 0; worker < workers; worker++) {
                int number = worker;
                fixed.removeIf(aspect -> {
                    Set<Boolean> alike = alike(aspect, single, several, number, workers);
                    return alike.contains(false) && (number == 0 || alike.contains(true));
                });
            }
        }
        return fixed;
    }

    /** Whether a worker's samples are those of a single worker: some, none, or both. Workers take turns with batches. */
    private static Set<Boolean> alike(String aspect, Deliveries single, Deliveries several, int worker, int workers) {
        Set<Boolean> alike = new HashSet<>();
        for (int number = worker; number < common(single, several); number += workers) {
            List<String> here = single.batches().get(number).aspects().getOrDefault(aspect, List.of());
            List<String> there = several.batches().get(number).aspects().getOrDefault(aspect, List.of());
            if (here.size() != there.size()) {
                alike.add(false);
            }
            for (int sample = 0; sample < Math.min(here.size(), there.size()); sample++) {
                alike.add(here.get(sample).equals(there.get(sample)));
            }
        }
        return alike;
    }

    /** Samples that were compared in full or in part. */
    private long compared(Deliveries found) {
        return found.batches().stream()
                .limit(common(reference, found))
                .mapToLong(Batch::samples)
                .sum();
    }

    @Override
    public Optional<Difference> difference(Deliveries found, int workers) {
        if (found.endedEarly()) {
            return Optional.of(new Difference(
                    Difference.Kind.MISSING,
                    "the epoch ended without an error after %d of %d batches"
                            .formatted(found.batches().size(), found.asked()),
                    Map.of(
                            "delivered_batches",
                            found.batches().size(),
                            "expected_batches",
                            Objects.requireNonNull(found.asked()))));
        }
        Set<JsonNode> wrong = new LinkedHashSet<>();
        List<Map<String, Object>> examples = new ArrayList<>();
        for (int number = 0; number < common(reference, found); number++) {
            Batch here = reference.batches().get(number);
            Batch there = found.batches().get(number);
            for (String aspect : differing(number, found)) {
                List<String> expected = here.aspects().getOrDefault(aspect, List.of());
                List<String> delivered = there.aspects().getOrDefault(aspect, List.of());
                List<JsonNode> indices = wrongIndices(there.indices(), expected, delivered);
                wrong.addAll(indices);
                if (examples.size() < MOST_EXAMPLES) {
                    examples.add(Map.of("indices", indices, "part", aspect, "expected", expected, "found", delivered));
                }
            }
        }
        if (wrong.isEmpty()) {
            return Optional.empty();
        }
        List<JsonNode> first = wrong.stream().limit(MOST_INDICES).toList();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("indices", first);
        details.put("wrong_samples", wrong.size());
        details.put("compared_samples", compared(found));
        details.put("examples", examples);
        return Optional.of(new Difference(
                Difference.Kind.WRONG,
                "%d of %d samples are not what 0 workers read, sample %s among them"
                        .formatted(wrong.size(), compared(found), first.get(0)),
                details));
    }

    private Set<String> differing(int number, Deliveries found) {
        return differing(
                reference.batches().get(number).aspectsBut(ignored),
                found.batches().get(number).aspectsBut(ignored));
    }

    /** Aspects that differ between two readings of a batch. */
    static Set<String> differing(Map<String, List<String>> one, Map<String, List<String>> other) {
        Set<String> all = new TreeSet<>(one.keySet());
        all.addAll(other.keySet());
        all.removeIf(aspect -> Objects.equals(one.get(aspect), other.get(aspect)));
        return all;
    }

    /** Where there is a digest for each sample, those that differ; else the whole batch. */
    private static List<JsonNode> wrongIndices(
            @Nullable JsonNode indices, List<String> expected, List<String> delivered) {
        if (indices == null || !indices.isArray()) {
            return indices == null ? List.of() : List.of(indices);
        }
        boolean oneEach = expected.size() == indices.size() && delivered.size() == indices.size();
        List<JsonNode> wrong = new ArrayList<>();
        for (int position = 0; position < indices.size(); position++) {
            if (!oneEach || !expected.get(position).equals(delivered.get(position))) {
                wrong.add(indices.get(position));
            }
        }
        return wrong;
    }

    private static int common(Deliveries one, Deliveries other) {
        return Math.min(one.batches().size(), other.batches().size());
    }
}
