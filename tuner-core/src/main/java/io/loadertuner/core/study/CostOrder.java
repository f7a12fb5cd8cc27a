package io.loadertuner.core.study;

import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.space.LoaderConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Which of two equally fast configs costs less: by the first cost that differs.
 *
 * @param costs distinct; those left out follow in the usual order
 */
public record CostOrder(List<Cost> costs) {
    /** Workers, memory, prefetch factor, pinning, batch size. */
    public static final CostOrder USUAL = new CostOrder(List.of());

    /** What a config may take more of than another, in the usual order. */
    public enum Cost {
        /** Fewer workers are cheaper. */
        NUM_WORKERS,
        /** Less memory for batches in flight is cheaper. */
        HOST_MEMORY,
        /** None, as without workers, is cheapest; then PyTorch's default, 2, is cheaper than others. */
        PREFETCH_FACTOR,
        /** No pinning is cheaper. */
        PIN_MEMORY,
        /** A smaller batch is cheaper. */
        BATCH_SIZE;

        /** The name in a request: {@code num_workers}. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        private Comparator<LoaderConfig> cheapestFirst(long sampleBytes) {
            return switch (this) {
                case NUM_WORKERS -> Comparator.comparingInt(LoaderConfig::numWorkers);
                case HOST_MEMORY ->
                    Comparator.comparingLong(
                            config -> (long) config.batchesInFlight() * config.batchSize() * Math.max(1, sampleBytes));
                case PREFETCH_FACTOR ->
                    Comparator.comparing((LoaderConfig config) -> config.prefetchFactor() != null)
                            .thenComparing(
                                    config -> !Objects.equals(config.prefetchFactor(), LoaderConfig.DEFAULT_PREFETCH));
                case PIN_MEMORY -> Comparator.comparing(LoaderConfig::pinMemory);
                case BATCH_SIZE -> Comparator.comparingInt(LoaderConfig::batchSize);
            };
        }
    }

    public CostOrder {
        LinkedHashSet<Cost> all = new LinkedHashSet<>(costs);
        all.addAll(Arrays.asList(Cost.values()));
        costs = List.copyOf(all);
    }

    /**
     * The order in which a request names the costs.
     *
     * @param names {@code num_workers}, {@code host_memory}, {@code prefetch_factor}, {@code pin_memory}, {@code batch_size};
     *     those left out follow in the usual order
     * @throws InvalidFieldException if a name is unknown or repeated
     */
    public static CostOrder named(List<String> names) {
        List<Cost> costs = new ArrayList<>();
        for (String name : names) {
            Cost cost = cost(name);
            if (costs.contains(cost)) {
                throw new InvalidFieldException("cost_order", "names '" + name + "' more than once");
            }
            costs.add(cost);
        }
        return new CostOrder(costs);
    }

    private static Cost cost(String name) {
        return Arrays.stream(Cost.values())
                .filter(cost -> cost.code().equals(name))
                .findFirst()
                .orElseThrow(() -> new InvalidFieldException(
                        "cost_order",
                        "must name some of %s, but names '%s'".formatted(String.join(", ", USUAL.names()), name)));
    }

    public List<String> names() {
        return costs.stream().map(Cost::code).toList();
    }

    Comparator<LoaderConfig> cheapestFirst(long sampleBytes) {
        return costs.stream()
                .map(cost -> cost.cheapestFirst(sampleBytes))
                .reduce(Comparator::thenComparing)
                .orElseThrow();
    }
}
