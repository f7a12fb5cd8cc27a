package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.measure.Verdict;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Replay.Pending;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * A few more configs where one setting at a time has come to its end and budget is left: what a sampler proposes from all
 * trials so far, for settings that only pay together. A handful at a time challenge the leader in paired rounds; it
 * gives way only to what is better beyond noise, for of many that are tried some are lucky.
 */
final class Refinement {
    private static final int CHALLENGERS = 4;
    private static final int ROUNDS_OF_A_CHALLENGE = 2;

    /** So many challenges in a row that the leader stood end the refinement. */
    private static final int CHALLENGES_IN_VAIN = 2;

    /** What was seen of a gain is part luck: the confirmation is left the rounds that resolve this share of it. */
    private static final double SHARE_OF_GAIN_TO_RESOLVE = 0.15;

    private final Search search;
    private final Sampler sampler;
    private final Set<LoaderConfig> proposed = new LinkedHashSet<>();

    private Refinement(Search search, Sampler sampler) {
        this.search = search;
        this.sampler = sampler;
    }

    /** @param sampler one that knows no phases */
    static Front run(Search search, Front front, Sampler sampler) throws Pending {
        return search.confirms() && BaselineProbe.feedsTheStep(search)
                ? front
                : new Refinement(search, sampler).run(front);
    }

    private Front run(Front front) throws Pending {
        Front refined = front;
        int inVain = 0;
        for (int challenge = 0; inVain < CHALLENGES_IN_VAIN; challenge++) {
            boolean time = hasTime(refined);
            List<LoaderConfig> challengers = challengers(time ? CHALLENGERS : 1);
            if (challengers.isEmpty()) {
                break;
            }
            if (!time) {
                explainNoTime(refined);
                break;
            }
            LoaderConfig leader = refined.leader();
            refined = challenged(refined, challengers, challenge * ROUNDS_OF_A_CHALLENGE + 1);
            inVain = refined.leader().equals(leader) ? inVain + 1 : 0;
        }
        return refined;
    }

    private Front challenged(Front front, List<LoaderConfig> challengers, int firstRound) throws Pending {
        LoaderConfig leader = front.leader();
        PairedRounds<LoaderConfig> rounds = new PairedRounds<>();
        Optional<Front> ahead = Challenge.run(search, leader, challengers, Phase.SEARCH, firstRound, rounds)
                .filter(measured -> search.replay().hasFailed(leader) || isBetter(measured.leader(), leader, rounds));
        explain(leader, ahead.map(Front::leader), challengers, rounds);
        Comparisons.explain(
                search, "search", LoaderConfig::describe, ahead.orElseGet(() -> new Front(leader, List.of())), rounds);
        return ahead.map(measured -> front.ledBy(measured.leader(), measured.carried()))
                .orElse(front);
    }

    private static boolean isBetter(LoaderConfig config, LoaderConfig leader, PairedRounds<LoaderConfig> rounds) {
        return !config.equals(leader)
                && rounds.ratioAmongAll(config, leader, 1)
                        .filter(ratio -> ratio.verdict() == Verdict.BETTER)
                        .isPresent();
    }

    /** New ones, proposed one after the other as if those before were being measured. */
    private List<LoaderConfig> challengers(int most) {
        Set<LoaderConfig> passedOver = new LinkedHashSet<>(proposed);
        passedOver.addAll(withUnsearchedPrefetch());
        Set<Ask> asked = new LinkedHashSet<>();
        List<LoaderConfig> challengers = new ArrayList<>();
        while (challengers.size() < most) {
            SamplerView view =
                    new SamplerView(search.settings(), search.replay().seen(), asked, passedOver);
            if (!(sampler.propose(view) instanceof Proposal.Measure measure)) {
                break;
            }
            asked.add(measure.ask());
            challengers.add(measure.ask().config());
        }
        proposed.addAll(challengers);
        return challengers;
    }

    /** Without a step the queue is empty at any depth, so other prefetch factors are nothing new. */
    private List<LoaderConfig> withUnsearchedPrefetch() {
        SearchSettings settings = search.settings();
        int usual = OneAtATime.startingPrefetch(settings);
        return settings.withStep()
                ? List.of()
                : settings.space().configs().stream()
                        .filter(config -> config.prefetchFactor() != null && config.prefetchFactor() != usual)
                        .toList();
    }

    private boolean hasTime(Front front) {
        double seconds = ROUNDS_OF_A_CHALLENGE
                * (1 + CHALLENGERS)
                * search.replay().expectedSeconds(new Ask(front.leader(), Phase.SEARCH, 1));
        return search.replay().trials() < search.settings().budget().maxTrials()
                && seconds + secondsKeptForConfirmation(front) <= search.secondsLeft();
    }

    private double secondsKeptForConfirmation(Front front) {
        if (!search.confirms()) {
            return 0;
        }
        Set<LoaderConfig> confirmed = new LinkedHashSet<>();
        confirmed.add(search.settings().baseline());
        confirmed.add(front.leader());
        front.carried().stream().limit(1).forEach(confirmed::add);
        return roundsToConfirm(front.leader()) * search.roundSeconds(confirmed);
    }

    private int roundsToConfirm(LoaderConfig leader) {
        OptionalDouble baseline = search.replay().rate(search.settings().baseline());
        OptionalDouble resolvable = search.resolvableDifference();
        if (baseline.isEmpty() || resolvable.isEmpty()) {
            return Search.CONFIRMING_ROUNDS;
        }
        double gain = search.replay().rate(leader).orElse(0) / baseline.getAsDouble() - 1;
        double wanted = SHARE_OF_GAIN_TO_RESOLVE * Math.max(0, gain);
        double rounds = Search.CONFIRMING_ROUNDS * Math.pow(Math.max(1, resolvable.getAsDouble() / wanted), 2);
        return (int) Math.min(Confirmation.MOST_ROUNDS, Math.ceil(rounds));
    }

    private void explain(
            LoaderConfig leader,
            Optional<LoaderConfig> ahead,
            List<LoaderConfig> challengers,
            PairedRounds<LoaderConfig> rounds) {
        LoaderConfig nearest = ahead.orElseGet(
                () -> Ranking.byRatio(challengers, leader, rounds).get(0));
        Optional<Ratio> ratio = rounds.ratio(nearest, leader);
        String compared = nearest.describe() + " against " + leader.describe() + ": "
                + ratio.map(Sentences::ratio).orElse(ahead.isPresent() ? "the latter fails" : "not compared");
        search.explain(new Explanation(
                "search",
                leader.describe(),
                ahead.orElse(leader).describe(),
                ratio.orElse(null),
                ahead.isPresent() ? Explanation.Decision.MOVED : Explanation.Decision.STAYED,
                "search: of %d more configs, proposed by the %s sampler from all trials so far, %s (%s)"
                        .formatted(
                                challengers.size(),
                                sampler,
                                ahead.isPresent() ? "one takes the lead" : "none is better beyond noise",
                                compared)));
    }

    private void explainNoTime(Front front) {
        search.explain(new Explanation(
                "search",
                front.leader().describe(),
                front.leader().describe(),
                null,
                Explanation.Decision.NOT_SEARCHED,
                "search: no more combinations were looked at: of the %d s left, the confirmation may need %d s"
                        .formatted(
                                Math.max(0, Math.round(search.secondsLeft())),
                                Math.round(secondsKeptForConfirmation(front)))));
    }
}
