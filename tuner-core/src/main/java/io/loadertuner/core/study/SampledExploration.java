package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Replay.Pending;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One round of whatever a sampler proposes for as long as there is time beside the race and the confirmation, then a race
 * of the best. The sampler is told the rounds of the baseline and its own.
 */
final class SampledExploration implements Exploration {
    /** The share of the budget that is kept for the race. */
    private static final double SHARE_OF_RACE = 0.1;

    /** So many proposals in a row that cannot be afforded say that no other can. */
    private static final int PASSED_OVER_IN_A_ROW = 20;

    /** First looks at one and the same config, minutes apart, differ by 13–15 %: below half the best rate none catches up. */
    private static final double WORTH_A_RACE = 0.5;

    private final Sampler sampler;

    SampledExploration(Sampler sampler) {
        this.sampler = sampler;
    }

    @Override
    public Front explore(Search search) throws Pending {
        look(search);
        List<LoaderConfig> promising = promising(search);
        if (promising.isEmpty()) {
            return new Front(search.settings().baseline(), List.of());
        }
        PairedRounds<LoaderConfig> rounds = new PairedRounds<>();
        Race.run(search, promising, rounds);
        // Where time ran out before the best could be raced, who was raced without it has won nothing.
        boolean raced = rounds.contenders().size() > 1 && rounds.contenders().contains(promising.get(0));
        Front front = raced
                ? Ranking.front(search, List.copyOf(rounds.contenders()), rounds)
                : new Front(promising.get(0), promising.subList(1, promising.size()));
        explain(search, front, rounds);
        return front;
    }

    private void look(Search search) throws Pending {
        List<Observation> told = new ArrayList<>();
        for (Observation observation : search.history()) {
            Ask ask = observation.ask();
            if (ask.phase() == Phase.SEARCH) {
                search.measure(ask.config(), Phase.SEARCH, ask.round());
            }
            if (ask.phase() == Phase.SEARCH || ask.phase() == Phase.BASELINE) {
                told.add(observation);
            }
        }
        search.skipTheRuledOut();
        Set<LoaderConfig> passedOver = new LinkedHashSet<>();
        while (passedOver.size() < PASSED_OVER_IN_A_ROW && search.hasTimeToExploreBeside(SHARE_OF_RACE)) {
            Optional<Ask> ask = proposal(new SamplerView(search.settings(), told, Set.of(), passedOver));
            if (ask.isEmpty()) {
                return;
            }
            search.explore(ask.get().config(), Phase.SEARCH, ask.get().round());
            passedOver.add(ask.get().config());
        }
    }

    private Optional<Ask> proposal(SamplerView view) {
        if (!(sampler.propose(view) instanceof Proposal.Measure measure)) {
            return Optional.empty();
        }
        Ask ask = measure.ask();
        if (ask.phase() != Phase.SEARCH) {
            throw new IllegalStateException("a sampler asks in the phase search, but %s asks for %s in the phase %s"
                    .formatted(sampler, ask.config().describe(), ask.phase()));
        }
        if (view.passedOver().contains(ask.config())) {
            throw new IllegalStateException("%s proposes %s, which was passed over"
                    .formatted(sampler, ask.config().describe()));
        }
        return Optional.of(ask);
    }

    /** Fastest first; cheapest first where the step is fed already, for there the cheapest is wanted that still feeds it. */
    private static List<LoaderConfig> promising(Search search) {
        Replay replay = search.replay();
        List<LoaderConfig> ranked = Ranking.byRate(replay.measured(), replay);
        if (ranked.isEmpty()) {
            return ranked;
        }
        double best = replay.rate(ranked.get(0)).orElseThrow();
        if (BaselineProbe.feedsTheStep(search)) {
            double reach = 1 / (1 + search.resolvableOrUsualDifference());
            return ranked.stream()
                    .filter(config -> replay.rate(config).orElse(0) >= reach * best)
                    .sorted(search.settings().cheapestFirst())
                    .toList();
        }
        return ranked.stream()
                .filter(config -> replay.rate(config).orElse(0) >= WORTH_A_RACE * best)
                .toList();
    }

    private static void explain(Search search, Front front, PairedRounds<LoaderConfig> rounds) {
        String raced = rounds.contenders().isEmpty()
                ? "none was raced"
                : "raced: "
                        + rounds.contenders().stream()
                                .map(LoaderConfig::describe)
                                .sorted()
                                .collect(Collectors.joining("; "));
        search.explain(new Explanation(
                "search",
                null,
                front.leader().describe(),
                null,
                Explanation.Decision.MEASURED,
                "search: %d configs measured, ahead is %s with %s; %s"
                        .formatted(
                                search.replay().measured().size(),
                                front.leader().describe(),
                                Sentences.rate(
                                        search.replay().rate(front.leader()).orElse(0)),
                                raced)));
        Comparisons.explain(search, "search", LoaderConfig::describe, front, rounds);
    }
}
