package io.loadertuner.core.loader.truth;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a config delivered in a bounded pass.
 *
 * @param ended whether the pass came to its end by itself
 * @param asked batches that were asked for; null for an iterable, which cannot be asked
 */
public record Deliveries(
        List<Batch> batches, boolean ended, @Nullable Integer asked) {

    public Deliveries {
        batches = List.copyOf(batches);
    }

    /** The last batch first. */
    Deliveries backwards() {
        List<Batch> reversed = new ArrayList<>(batches);
        Collections.reverse(reversed);
        return new Deliveries(reversed, ended, asked);
    }

    /**
     * One batch; of an iterable one sample, or what it yields as a batch.
     *
     * @param indices what the dataset was asked for; null for an iterable
     * @param worker which worker it came from; null where that is not known
     * @param samples how many it holds
     * @param leaves its parts by their path
     */
    public record Batch(
            @Nullable JsonNode indices, @Nullable Integer worker, long samples, Map<String, Leaf> leaves) {

        /** Everything that can be compared, each under its name: the form of a leaf and its content are apart. */
        Map<String, List<String>> aspects() {
            Map<String, List<String>> aspects = new LinkedHashMap<>();
            leaves.forEach((path, leaf) -> {
                String name = path.isEmpty() ? "the sample" : path;
                aspects.put("form of " + name, List.of(leaf.form()));
                aspects.put(name, leaf.digests());
            });
            return aspects;
        }

        /** The same without those names. */
        Map<String, List<String>> aspectsBut(Set<String> ignored) {
            Map<String, List<String>> aspects = aspects();
            aspects.keySet().removeAll(ignored);
            return aspects;
        }
    }

    /**
     * @param form type and shape
     * @param digests one for each sample, or one for the whole; none where the content cannot be had
     */
    public record Leaf(String form, List<String> digests) {
        public Leaf {
            digests = List.copyOf(digests);
        }
    }

    long samples() {
        return batches.stream().mapToLong(Batch::samples).sum();
    }

    /** Whether it ended before all was delivered that was asked for. */
    boolean endedEarly() {
        return ended && asked != null && batches.size() < asked;
    }
}
