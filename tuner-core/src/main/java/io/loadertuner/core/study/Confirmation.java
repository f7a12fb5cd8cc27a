package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.measure.Verdict;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Conclusion.StoppedBy;
import io.loadertuner.core.study.Replay.Pending;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The contenders and the baseline again, in interleaved rounds that nothing was chosen by: what the answer rests on. */
final class Confirmation {
    private static final int CONTENDERS = 3;

    /** A comparison whose every half-width is below this has said what it can. */
    private static final double PRECISION = 0.03;

    private final Search search;
    private final LoaderConfig baseline;
    private final PairedRounds<LoaderConfig> rounds = new PairedRounds<>();

    private Confirmation(Search search) {
        this.search = search;
        this.baseline = search.settings().baseline();
    }

    static Conclusion run(Search search, Front front) throws Pending {
        return new Confirmation(search).run(front);
    }

    private Conclusion run(Front front) throws Pending {
        Set<LoaderConfig> contenders = contenders(front);
        contenders.removeIf(search.replay()::hasFailed);
        if (contenders.isEmpty()) {
            return new Conclusion(null, List.of(), StoppedBy.FAILURES);
        }
        StoppedBy stoppedBy = compare(contenders);
        List<LoaderConfig> alive = contenders.stream()
                .filter(config -> search.replay().rate(config).isPresent()
                        && !search.replay().hasFailed(config))
                .toList();
        if (alive.isEmpty()) {
            return new Conclusion(null, List.of(), StoppedBy.FAILURES);
        }
        List<LoaderConfig> tied = tieSet(alive);
        Recommendation recommendation = Guard.choose(search, rounds, tied, alive);
        search.explain(new Explanation(
                "recommendation",
                baseline.describe(),
                recommendation.config().describe(),
                recommendation.speedup(),
                Explanation.Decision.RECOMMENDED,
                recommendation.reason()));
        return new Conclusion(recommendation, tied, stoppedBy);
    }

    private Set<LoaderConfig> contenders(Front front) {
        List<LoaderConfig> carried = new ArrayList<>(front.carried());
        if (BaselineProbe.feedsTheStep(search)) {
            carried.sort(CostOrder.cheapestFirst(search.settings().sampleBytes()));
        }
        Set<LoaderConfig> contenders = new LinkedHashSet<>();
        contenders.add(baseline);
        if (search.replay().rate(front.leader()).isPresent()) {
            contenders.add(front.leader());
        }
        for (LoaderConfig best : BatchSizeSearch.bestByBatchSize(search)) {
            if (best.batchSize() == baseline.batchSize()) {
                contenders.add(best);
            }
        }
        for (LoaderConfig config : carried) {
            if (contenders.size() <= CONTENDERS) {
                contenders.add(config);
            }
        }
        return contenders;
    }

    private StoppedBy compare(Set<LoaderConfig> contenders) throws Pending {
        List<LoaderConfig> alive = new ArrayList<>(contenders);
        for (int round = 1; round <= Search.CONFIRMING_ROUNDS; round++) {
            if (alive.size() < 2) {
                return StoppedBy.SETTLED;
            }
            int number = round;
            double seconds = alive.stream()
                    .mapToDouble(config -> search.replay().expectedSeconds(new Ask(config, Phase.CONFIRM, number)))
                    .sum();
            if (!search.hasTimeFor(seconds)) {
                return StoppedBy.TIME;
            }
            for (LoaderConfig config : search.shuffled(alive, Phase.CONFIRM, round)) {
                search.measure(config, Phase.CONFIRM, round)
                        .ifPresent(rate -> rounds.add(Ask.block(Phase.CONFIRM, number), config, rate));
            }
            alive.removeIf(search.replay()::hasFailed);
            if (alive.size() > 1 && isPrecise(alive)) {
                return StoppedBy.PRECISION;
            }
            dropTheBeaten(alive);
        }
        return StoppedBy.ROUNDS;
    }

    /** The baseline stays to the end: every figure is stated against it. */
    private void dropTheBeaten(List<LoaderConfig> alive) {
        if (alive.isEmpty()) {
            return;
        }
        LoaderConfig best = Ranking.byRatio(alive, alive.get(0), rounds).get(0);
        alive.removeIf(config -> !config.equals(baseline) && rounds.hasFallenBehind(config, best, Ranking.MARGIN));
    }

    private boolean isPrecise(List<LoaderConfig> alive) {
        LoaderConfig reference = alive.get(0);
        return alive.stream()
                .filter(config -> !config.equals(reference))
                .allMatch(config -> rounds.ratio(config, reference)
                        .filter(ratio -> Math.log(ratio.high() / ratio.low()) / 2 < PRECISION)
                        .isPresent());
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
                .sorted(CostOrder.cheapestFirst(search.settings().sampleBytes()))
                .toList();
    }

    private boolean cannotTell(LoaderConfig config, LoaderConfig best) {
        Optional<Ratio> ratio = rounds.ratio(config, best);
        return ratio.filter(known ->
                        known.verdict() == Verdict.CANNOT_TELL && !rounds.hasFallenBehind(config, best, Ranking.MARGIN))
                .isPresent();
    }
}
