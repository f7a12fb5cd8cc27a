package io.loadertuner.core.study.sampler;

import io.jenetics.Genotype;
import io.jenetics.IntegerChromosome;
import io.jenetics.IntegerGene;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import java.util.Comparator;
import java.util.List;

/**
 * Configs as genotypes and back: one chromosome of one gene for each of workers, prefetch factor, pinning and batch size,
 * whose allele is the index of the value among the ordered values of the space.
 */
record Genome(SearchSpace space) {

    /** @param config of the space */
    Genotype<IntegerGene> encode(LoaderConfig config) {
        return Genotype.of(
                chromosome(space.numWorkers(), config.numWorkers()),
                chromosome(space.prefetchFactor(), prefetch(config)),
                chromosome(space.pinMemory(), config.pinMemory()),
                chromosome(space.batchSize(), config.batchSize()));
    }

    /** The prefetch factor's allele is not expressed where there are no workers. */
    LoaderConfig decode(Genotype<IntegerGene> genotype) {
        return space.config(
                space.numWorkers().get(allele(genotype, 0)),
                space.prefetchFactor().get(allele(genotype, 1)),
                space.pinMemory().get(allele(genotype, 2)),
                space.batchSize().get(allele(genotype, 3)));
    }

    /**
     * Whichever is fewest steps away from {@code config}, a step being from a value to the next one of the same setting.
     *
     * @param candidates of the space, not empty
     */
    LoaderConfig nearest(LoaderConfig config, List<LoaderConfig> candidates) {
        return candidates.stream()
                .min(Comparator.comparingInt(candidate -> steps(config, candidate)))
                .orElseThrow();
    }

    private int steps(LoaderConfig one, LoaderConfig other) {
        boolean bothPrefetch = one.prefetchFactor() != null && other.prefetchFactor() != null;
        return apart(space.numWorkers(), one.numWorkers(), other.numWorkers())
                + (bothPrefetch ? apart(space.prefetchFactor(), prefetch(one), prefetch(other)) : 0)
                + apart(space.pinMemory(), one.pinMemory(), other.pinMemory())
                + apart(space.batchSize(), one.batchSize(), other.batchSize());
    }

    private static <T> int apart(List<T> values, T one, T other) {
        return Math.abs(values.indexOf(one) - values.indexOf(other));
    }

    /** What the space has nearest to PyTorch's default where there are no workers. */
    private int prefetch(LoaderConfig config) {
        Integer prefetch = config.prefetchFactor();
        return prefetch == null ? SearchSpace.nearest(space.prefetchFactor(), LoaderConfig.DEFAULT_PREFETCH) : prefetch;
    }

    private static <T> IntegerChromosome chromosome(List<T> values, T value) {
        return IntegerChromosome.of(IntegerGene.of(values.indexOf(value), 0, values.size()));
    }

    private static int allele(Genotype<IntegerGene> genotype, int chromosome) {
        return genotype.get(chromosome).get(0).intValue();
    }
}
