package io.loadertuner.core.study.sampler;

import io.jenetics.Alterer;
import io.jenetics.IntegerGene;
import io.jenetics.Mutator;
import io.jenetics.Optimize;
import io.jenetics.Phenotype;
import io.jenetics.TournamentSelector;
import io.jenetics.UniformCrossover;
import io.jenetics.util.ISeq;
import io.jenetics.util.RandomRegistry;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Ask;
import io.loadertuner.core.study.Observation;
import io.loadertuner.core.study.Proposal;
import io.loadertuner.core.study.Sampler;
import io.loadertuner.core.study.SamplerView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A steady-state genetic algorithm with Jenetics' operators: each proposal is a child of two of the best trials so far,
 * chosen by tournament, their settings crossed over uniformly, some of them mutated. There is no generation to wait for,
 * and nothing to store but the trials. A trial that failed has the lowest fitness. Begins with the configs known to be
 * good, then random ones, until there are enough trials to breed from. A child that is known already gives way to another,
 * and in the end to the nearest config that was never tried. Ends when no config is left.
 */
public final class GeneticSampler implements Sampler {
    /** Trials before the first child. */
    private static final int TRIALS_TO_BEGIN_WITH = 8;

    /** So many of the best are bred from. */
    private static final int POPULATION = 10;

    private static final int TOURNAMENT = 3;
    private static final int PARENTS = 2;

    /** For a setting to change places between the parents, once it is its turn. */
    private static final double SWAP_PROBABILITY = 0.5;

    /** For a setting to get another value: one of four settings in every other child or so. */
    private static final double MUTATION_PROBABILITY = 0.15;

    private static final int CHILDREN = 8;
    private static final double FITNESS_OF_FAILURE = 0;

    private final TournamentSelector<IntegerGene, Double> selector = new TournamentSelector<>(TOURNAMENT);
    private final Alterer<IntegerGene, Double> alterer = Alterer.of(
            new UniformCrossover<IntegerGene, Double>(1, SWAP_PROBABILITY),
            new Mutator<IntegerGene, Double>(MUTATION_PROBABILITY));

    @Override
    public Proposal propose(SamplerView view) {
        List<LoaderConfig> known = view.untriedWarmStarts();
        if (!known.isEmpty()) {
            return new Proposal.Measure(Ask.first(known.get(0)));
        }
        List<LoaderConfig> untried = view.untried();
        if (untried.isEmpty()) {
            return new Proposal.Exhausted();
        }
        Map<LoaderConfig, Double> fitness = fitness(view);
        LoaderConfig next = fitness.size() < PARENTS
                        || fitness.size() + view.pending().size() < TRIALS_TO_BEGIN_WITH
                ? RandomDraw.from(untried, view.space(), view.random())
                : RandomRegistry.with(view.random(), random -> child(new Genome(view.space()), fitness, untried));
        return new Proposal.Measure(Ask.first(next));
    }

    private LoaderConfig child(Genome genome, Map<LoaderConfig, Double> fitness, List<LoaderConfig> untried) {
        ISeq<Phenotype<IntegerGene, Double>> population = fitness.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(POPULATION)
                .map(trial -> Phenotype.of(genome.encode(trial.getKey()), 1, trial.getValue()))
                .collect(ISeq.toISeq());
        Set<LoaderConfig> wanted = new HashSet<>(untried);
        List<LoaderConfig> children = new ArrayList<>();
        while (children.size() < CHILDREN) {
            ISeq<Phenotype<IntegerGene, Double>> parents = selector.select(population, PARENTS, Optimize.MAXIMUM);
            LoaderConfig child =
                    genome.decode(alterer.alter(parents, 2).population().get(0).genotype());
            if (wanted.contains(child)) {
                return child;
            }
            children.add(child);
        }
        return genome.nearest(children.get(0), untried);
    }

    /** Rates of the trials in the space, in the order of first tells; where rates are equal, this order decides. */
    private static Map<LoaderConfig, Double> fitness(SamplerView view) {
        Map<LoaderConfig, Double> rates = view.rates();
        Map<LoaderConfig, Double> fitness = new LinkedHashMap<>();
        for (Observation observation : view.told()) {
            LoaderConfig config = observation.ask().config();
            if (view.space().contains(config)) {
                fitness.put(config, rates.getOrDefault(config, FITNESS_OF_FAILURE));
            }
        }
        return fitness;
    }

    @Override
    public String toString() {
        return "genetic";
    }
}
