package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.measure.Resolution;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Replay.Pending;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;

/** What the phases of one run of a search share: its settings, its history, what it has explained and skipped. */
final class Search {
    /** The share of the budget that is kept for the confirmation. */
    private static final double SHARE_OF_CONFIRMATION = 0.4;

    /** Beyond this share of the whole budget a single round is not worth its time … */
    private static final double LARGEST_SHARE_OF_BUDGET = 0.1;

    /** … unless it takes at most so many times as long as the baseline's. */
    private static final double WORTHWHILE_BASELINE_ROUNDS = 2;

    static final int CONFIRMING_ROUNDS = 5;

    private static final double USUAL_RESOLVABLE_DIFFERENCE = 0.1;

    private final SearchSettings settings;
    private final List<Observation> history;
    private final Replay replay;
    private final List<Explanation> explanation = new ArrayList<>();
    private final Map<LoaderConfig, String> skipped = new LinkedHashMap<>();
    private final Set<Ask> pending;
    private final double shareKept;

    /** A search with a confirmation in the end, which a share of the budget is kept for. */
    Search(SearchSettings settings, List<Observation> history) {
        this(settings, history, Set.of(), SHARE_OF_CONFIRMATION);
    }

    /**
     * A search that others measure for, and that ends without a confirmation.
     *
     * @param pending asks that were given out and are not in the history yet
     */
    Search(SearchSettings settings, List<Observation> history, Set<Ask> pending) {
        this(settings, history, pending, 0);
    }

    private Search(SearchSettings settings, List<Observation> history, Set<Ask> pending, double shareKept) {
        this.settings = settings;
        this.history = List.copyOf(history);
        this.replay = new Replay(history);
        this.pending = pending;
        this.shareKept = shareKept;
    }

    SearchSettings settings() {
        return settings;
    }

    /** Every observation, those too that this run has not come to yet. */
    List<Observation> history() {
        return history;
    }

    Replay replay() {
        return replay;
    }

    void explain(Explanation step) {
        explanation.add(step);
    }

    /** Whether a confirmation follows. */
    boolean confirms() {
        return shareKept > 0;
    }

    SearchState state(SearchState.Next next) {
        List<Skip> skips = new ArrayList<>();
        skipped.forEach((config, reason) -> skips.add(new Skip(config, reason)));
        return new SearchState(next, List.copyOf(explanation), skips, resolvableDifference());
    }

    /** What five paired rounds resolve here, from the repeats of the baseline; empty before there are any. */
    OptionalDouble resolvableDifference() {
        List<Double> repeats = replay.rates(settings.baseline());
        return repeats.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Resolution.resolvableDifference(repeats, CONFIRMING_ROUNDS));
    }

    /** The same, or what is usual before there are any. */
    double resolvableOrUsualDifference() {
        return resolvableDifference().orElse(USUAL_RESOLVABLE_DIFFERENCE);
    }

    /** Measures in any case; for what a study cannot do without. */
    OptionalDouble measure(LoaderConfig config, Phase phase, int round) throws Pending {
        return replay.measure(new Ask(config, phase, round));
    }

    /** Measures if the config is feasible and the budget allows; else notes why not. */
    OptionalDouble explore(LoaderConfig config, Phase phase, int round) throws Pending {
        Ask ask = new Ask(config, phase, round);
        Optional<String> obstacle = obstacle(ask);
        if (obstacle.isPresent()) {
            if (!replay.wasTried(config)) {
                skipped.putIfAbsent(config, obstacle.get());
            }
            return OptionalDouble.empty();
        }
        skipped.remove(config);
        return replay.measure(ask);
    }

    /** Notes which configs of the space nobody need propose. */
    void skipTheRuledOut() {
        for (LoaderConfig config : settings.space().configs()) {
            if (!replay.wasTried(config)) {
                ruledOut(config).ifPresent(reason -> skipped.putIfAbsent(config, reason));
            }
        }
    }

    /** One interleaved round: each config once, in random order. */
    void explorePaired(Collection<LoaderConfig> configs, Phase phase, int round, PairedRounds<LoaderConfig> into)
            throws Pending {
        Optional<Pending> awaited = Optional.empty();
        for (LoaderConfig config : shuffled(configs, phase, round)) {
            try {
                explore(config, phase, round).ifPresent(rate -> into.add(Ask.block(phase, round), config, rate));
            } catch (Pending next) {
                if (!pending.contains(next.ask())) {
                    throw next;
                }
                awaited = Optional.of(next);
            }
        }
        if (awaited.isPresent()) {
            throw awaited.get();
        }
    }

    List<LoaderConfig> shuffled(Collection<LoaderConfig> configs, Phase phase, int round) {
        List<LoaderConfig> order = new ArrayList<>(configs);
        Collections.shuffle(order, new Random(mixed(settings.seed(), Ask.block(phase, round))));
        return order;
    }

    /** Seeds that differ in a few bits give {@link Random} nearly the same order; these differ in all. */
    private static long mixed(long seed, String block) {
        return new SplittableRandom(seed ^ ((long) block.hashCode() << 32)).nextLong();
    }

    /** Whether this much more time is left, nothing kept back. */
    boolean hasTimeFor(double seconds) {
        return replay.elapsedSeconds() + seconds <= settings.budget().wallSeconds();
    }

    /** What one interleaved round of the confirmation takes. */
    double roundSeconds(Collection<LoaderConfig> configs) {
        return configs.stream()
                .mapToDouble(config -> replay.expectedSeconds(new Ask(config, Phase.CONFIRM, 1)))
                .sum();
    }

    double secondsLeft() {
        return settings.budget().wallSeconds() - replay.elapsedSeconds();
    }

    /** Whether there is time for so many rounds if the others take part in them too. */
    boolean hasTimeForRounds(int rounds, Collection<LoaderConfig> configs, LoaderConfig... others) {
        return rounds * (roundSeconds(configs) + roundSeconds(List.of(others))) <= secondsLeft();
    }

    /**
     * Whether anything at all can be explored beside the confirmation and something else.
     *
     * @param share of the budget that is kept for something else
     */
    boolean hasTimeToExploreBeside(double share) {
        return replay.trials() < settings.budget().maxTrials()
                && hasTimeFor((shareKept + share) * settings.budget().wallSeconds());
    }

    private Optional<String> obstacle(Ask ask) {
        Optional<String> ruledOut = ruledOut(ask.config());
        if (ruledOut.isPresent()) {
            return ruledOut;
        }
        double seconds = replay.expectedSeconds(ask);
        double budget = settings.budget().wallSeconds();
        if (seconds > Math.max(LARGEST_SHARE_OF_BUDGET * budget, WORTHWHILE_BASELINE_ROUNDS * baselineSeconds(ask))) {
            return Optional.of("one round would take about %d s of a budget of %d s"
                    .formatted(Math.round(seconds), Math.round(budget)));
        }
        if (!replay.wasTried(ask.config())
                && replay.trials() >= settings.budget().maxTrials()) {
            return Optional.of("the budget of %d trials is spent"
                    .formatted(settings.budget().maxTrials()));
        }
        if (!hasTimeFor(seconds + secondsKeptForConfirmation(ask.config()))) {
            return Optional.of("no time is left beside the confirmation");
        }
        return Optional.empty();
    }

    /** Why a config cannot work, by what was known before and by the failures that this run has come to. */
    private Optional<String> ruledOut(LoaderConfig config) {
        return settings.infeasible().apply(config).or(() -> replay.lesson(config));
    }

    /** A share of the budget, but no more than the rounds take; for the first config beside the baseline a single round. */
    private double secondsKeptForConfirmation(LoaderConfig config) {
        double round = roundSeconds(List.of(settings.baseline(), config));
        boolean first = replay.trials() <= 1;
        return Math.min(shareKept * settings.budget().wallSeconds(), first ? round : CONFIRMING_ROUNDS * round);
    }

    private double baselineSeconds(Ask ask) {
        return replay.expectedSeconds(new Ask(settings.baseline(), ask.phase(), ask.round()));
    }
}
