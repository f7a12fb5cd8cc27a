package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Replay.Pending;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One round of whatever a sampler proposes for as long as there is time beside the confirmation, then a race of the best. */
final class SampledExploration implements Exploration {
    private final Sampler sampler;

    SampledExploration(Sampler sampler) {
        this.sampler = sampler;
    }

    @Override
    public Front explore(Search search) throws Pending {
        List<Observation> told = new ArrayList<>();
        for (Observation observation : search.history()) {
            if (observation.ask().phase() == Phase.SEARCH) {
                told.add(observation);
                search.measure(
                        observation.ask().config(),
                        Phase.SEARCH,
                        observation.ask().round());
            }
        }
        Set<LoaderConfig> passedOver = new LinkedHashSet<>();
        while (sampler.propose(new SamplerView(search.settings(), told, Set.of(), passedOver))
                        instanceof Proposal.Measure proposal
                && search.hasTimeToExplore()) {
            LoaderConfig config = proposal.ask().config();
            search.explore(config, Phase.SEARCH, proposal.ask().round());
            passedOver.add(config);
        }
        LoaderConfig baseline = search.settings().baseline();
        List<LoaderConfig> ranked = Ranking.byRate(search.replay().measured(), search.replay());
        if (ranked.isEmpty()) {
            return new Front(baseline, List.of());
        }
        PairedRounds<LoaderConfig> rounds = new PairedRounds<>();
        Race.run(search, ranked, rounds);
        return rounds.contenders().isEmpty()
                ? new Front(ranked.get(0), ranked.subList(1, ranked.size()))
                : Ranking.front(search, List.copyOf(rounds.contenders()), rounds);
    }
}
