package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.measure.Verdict;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Conclusion.StoppedBy;
import io.loadertuner.core.study.Explanation.Decision;
import io.loadertuner.core.study.Replay.Pending;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The contenders and the baseline again, in interleaved rounds that nothing was chosen by: what the answer rests on. */
final class Confirmation {
    private static final int CONTENDERS = 2;
    static final int MOST_ROUNDS = 40;

    /** Two single rounds of equals differ by more than this in one of twenty cases, the leader's luck counted in. */
    private static final double NEAR = 0.8;

    /** Three rounds leave no doubt about a gain as large as this: more time is left for who of its bringers is the fastest. */
    private static final double PLAIN_GAIN = 2;

    private static final int ROUNDS_FOR_A_PLAIN_GAIN = 3;

    /** After these rounds it is looked at who need not go on: seldom, because every look is a chance to be misled. */
    private static final Set<Integer> ROUNDS_LOOKED_AT = Set.of(2, 3, 5, 7, 10, 15, 20, 30);

    /** A comparison whose every half-width is below this has said what it can. */
    private static final double PRECISION = 0.03;

    private final Search search;
    private final LoaderConfig baseline;
    private final PairedRounds<LoaderConfig> rounds = new PairedRounds<>();
    private final Set<LoaderConfig> dropped = new LinkedHashSet<>();
    private int lastRound;

    private Confirmation(Search search) {
        this.search = search;
        this.baseline = search.settings().baseline();
    }

    static Conclusion run(Search search, Front front) throws Pending {
        return new Confirmation(search).run(front);
    }

    /** Where the leader comes to fail, the fastest of the others take its place: as long as anything works there is an answer. */
    private Conclusion run(Front front) throws Pending {
        Set<LoaderConfig> contenders = contenders(front);
        if (contenders.isEmpty()) {
            return new Conclusion(null, List.of(), StoppedBy.FAILURES);
        }
        List<LoaderConfig> alive = new ArrayList<>(contenders);
        Set<LoaderConfig> beaten = new LinkedHashSet<>();
        StoppedBy stoppedBy = compare(alive, beaten);
        boolean failures = contenders.removeIf(search.replay()::hasFailed);
        if (failures && contenders.stream().allMatch(baseline::equals)) {
            dropped.clear();
            return run(front);
        }
        List<LoaderConfig> unbeaten =
                contenders.stream().filter(config -> !beaten.contains(config)).toList();
        List<LoaderConfig> tied = tieSet(unbeaten.isEmpty() ? List.copyOf(contenders) : unbeaten);
        Recommendation recommendation = Guard.choose(search, rounds, tied, List.copyOf(contenders));
        explain(recommendation, tied, contenders);
        return new Conclusion(recommendation, tied, stoppedBy);
    }

    private void explain(Recommendation recommendation, List<LoaderConfig> tied, Set<LoaderConfig> contenders) {
        for (LoaderConfig config : contenders) {
            if (!config.equals(baseline) && !config.equals(recommendation.config()) && !dropped.contains(config)) {
                explain(config, baseline, tied.contains(config) ? Decision.TIED : Decision.DROPPED);
            }
        }
        List<LoaderConfig> others =
                contenders.stream().filter(config -> !config.equals(baseline)).toList();
        Optional<Ratio> nearest = Ranking.byRatio(others, baseline, rounds).stream()
                .findFirst()
                .flatMap(config -> Guard.ratio(rounds, config, baseline));
        search.explain(new Explanation(
                "recommendation",
                baseline.describe(),
                recommendation.config().describe(),
                recommendation.config().equals(baseline) ? nearest.orElse(null) : recommendation.speedup(),
                Decision.RECOMMENDED,
                recommendation.reason()));
    }

    /** Says nothing where the two share no round. */
    private void explain(LoaderConfig config, LoaderConfig reference, Decision decision) {
        Guard.ratio(rounds, config, reference)
                .ifPresent(ratio -> search.explain(new Explanation(
                        "confirmation",
                        reference.describe(),
                        config.describe(),
                        ratio,
                        decision,
                        "confirmation: %s, %s against %s: %s"
                                .formatted(
                                        config.describe(),
                                        Sentences.ratio(ratio),
                                        reference.describe(),
                                        decision == Decision.TIED
                                                ? "cannot be told from the best"
                                                : "cannot win any more"))));
    }

    private Set<LoaderConfig> contenders(Front front) {
        Comparator<LoaderConfig> cost = search.settings().cheapestFirst();
        List<LoaderConfig> carried = new ArrayList<>(front.carried());
        if (BaselineProbe.feedsTheStep(search)) {
            carried.sort(cost);
        }
        int wanted = roundsWanted(front.leader());
        Set<LoaderConfig> contenders = new LinkedHashSet<>();
        contenders.add(baseline);
        Optional<LoaderConfig> cheapest = carried.stream()
                .filter(config -> isNear(config, front.leader()))
                .filter(config -> config.batchSize() == baseline.batchSize())
                .min(cost);
        if (works(front.leader())
                && cheapest.isPresent()
                && !search.hasTimeForRounds(wanted, contenders, cheapest.get(), front.leader())
                && front.leader().batchSize() == baseline.batchSize()) {
            // Who cannot be told apart in the time that is left is as good as the cheapest of them.
            contenders.add(Collections.min(List.of(cheapest.get(), front.leader()), cost));
        } else if (works(front.leader())) {
            contenders.add(front.leader());
        } else {
            Ranking.byRate(search.replay().measured(), search.replay()).stream()
                    .limit(CONTENDERS)
                    .forEach(contenders::add);
        }
        if (front.leader().batchSize() != baseline.batchSize()) {
            BatchSizeSearch.bestByBatchSize(search).stream()
                    .filter(best -> best.batchSize() == baseline.batchSize())
                    .forEach(contenders::add);
        }
        if (search.hasTimeForRounds(wanted, contenders)) {
            cheapest.ifPresent(contenders::add);
        }
        for (LoaderConfig config : carried) {
            if (contenders.size() <= CONTENDERS && search.hasTimeForRounds(wanted, contenders, config)) {
                contenders.add(config);
            }
        }
        contenders.removeIf(config -> !works(config));
        return contenders;
    }

    private int roundsWanted(LoaderConfig leader) {
        double gain = search.replay().rate(leader).orElse(0)
                / search.replay().rate(baseline).orElse(Double.POSITIVE_INFINITY);
        return gain >= PLAIN_GAIN ? ROUNDS_FOR_A_PLAIN_GAIN : Search.CONFIRMING_ROUNDS;
    }

    /** Whether one was seen to deliver nearly as much as the other, so that it may stand in for it where time is short. */
    private boolean isNear(LoaderConfig config, LoaderConfig leader) {
        return search.replay().rate(config).orElse(0)
                >= NEAR * search.replay().rate(leader).orElse(0);
    }

    private boolean works(LoaderConfig config) {
        return search.replay().rate(config).isPresent() && !search.replay().hasFailed(config);
    }

    /**
     * Measures round after round until the answer cannot change any more, or there is no time to change it.
     *
     * @param alive the contenders, the more promising first; who fails, is beaten or cannot win any more is taken out
     * @param beaten takes those that fell behind another
     */
    private StoppedBy compare(List<LoaderConfig> alive, Set<LoaderConfig> beaten) throws Pending {
        while (alive.size() > 2 && !search.hasTimeFor(search.roundSeconds(alive))) {
            alive.remove(alive.size() - 1);
        }
        int end = lastRound + MOST_ROUNDS;
        while (lastRound < end) {
            if (alive.size() < 2) {
                return StoppedBy.SETTLED;
            }
            if (!search.hasTimeFor(search.roundSeconds(alive))) {
                return StoppedBy.TIME;
            }
            lastRound++;
            for (LoaderConfig config : search.shuffled(alive, Phase.CONFIRM, lastRound)) {
                String block = Ask.block(Phase.CONFIRM, lastRound);
                search.measure(config, Phase.CONFIRM, lastRound).ifPresent(rate -> rounds.add(block, config, rate));
            }
            alive.removeIf(search.replay()::hasFailed);
            if (!ROUNDS_LOOKED_AT.contains(lastRound)) {
                continue;
            }
            if (alive.size() > 1 && isPrecise(alive)) {
                return StoppedBy.PRECISION;
            }
            dropTheBeaten(alive, beaten);
            dropTheFutile(alive);
            if (Guard.isDecided(search, rounds, tieSetOf(alive))) {
                return StoppedBy.SETTLED;
            }
        }
        return StoppedBy.ROUNDS;
    }

    /** The baseline stays to the end: every figure is stated against it. */
    private void dropTheBeaten(List<LoaderConfig> alive, Set<LoaderConfig> beaten) {
        if (alive.isEmpty()) {
            return;
        }
        LoaderConfig best = Ranking.byRatio(alive, alive.get(0), rounds).get(0);
        for (LoaderConfig config : List.copyOf(alive)) {
            if (!config.equals(baseline)
                    && rounds.hasFallenBehind(config, best, Ranking.MARGIN)
                    && beaten.add(config)) {
                drop(config, best, alive);
            }
        }
    }

    /** Whoever cannot be shown to be better than the baseline in the rounds that are left need not be measured in them. */
    private void dropTheFutile(List<LoaderConfig> alive) {
        if (!alive.contains(baseline)) {
            return;
        }
        for (LoaderConfig config : List.copyOf(alive)) {
            if (!config.equals(baseline)
                    && !Guard.mayStillBeCheaper(search, rounds, config)
                    && rounds.isFutile(config, baseline, Ranking.MARGIN, roundsLeft(config))) {
                drop(config, baseline, alive);
            }
        }
    }

    private void drop(LoaderConfig config, LoaderConfig reference, List<LoaderConfig> alive) {
        alive.remove(config);
        dropped.add(config);
        explain(config, reference, Decision.DROPPED);
    }

    private int roundsLeft(LoaderConfig config) {
        double seconds = search.roundSeconds(List.of(baseline, config));
        return (int) Math.min(MOST_ROUNDS - lastRound, search.secondsLeft() / seconds);
    }

    private boolean isPrecise(List<LoaderConfig> alive) {
        LoaderConfig reference = alive.get(0);
        return alive.stream()
                .filter(config -> !config.equals(reference))
                .allMatch(config -> rounds.ratio(config, reference)
                        .filter(ratio -> Math.log(ratio.high() / ratio.low()) / 2 < PRECISION)
                        .isPresent());
    }

    private List<LoaderConfig> tieSetOf(List<LoaderConfig> alive) {
        return alive.isEmpty() || rounds.contenders().isEmpty() ? List.of() : tieSet(alive);
    }

    private List<LoaderConfig> tieSet(List<LoaderConfig> alive) {
        LoaderConfig reference =
                alive.stream().filter(rounds.contenders()::contains).findFirst().orElse(alive.get(0));
        List<LoaderConfig> ranked = rounds.contenders().isEmpty()
                ? Ranking.byRate(alive, search.replay())
                : Ranking.byRatio(alive, reference, rounds);
        LoaderConfig best = ranked.get(0);
        return ranked.stream()
                .filter(config -> config.equals(best) || cannotTell(config, best))
                .sorted(search.settings().cheapestFirst())
                .toList();
    }

    private boolean cannotTell(LoaderConfig config, LoaderConfig best) {
        Optional<Ratio> ratio = rounds.ratio(config, best);
        return ratio.filter(known ->
                        known.verdict() == Verdict.CANNOT_TELL && !rounds.hasFallenBehind(config, best, Ranking.MARGIN))
                .isPresent();
    }
}
