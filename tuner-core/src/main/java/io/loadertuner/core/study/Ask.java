package io.loadertuner.core.study;

import io.loadertuner.core.measure.RoundPlan;
import io.loadertuner.core.space.LoaderConfig;
import java.util.Locale;

/**
 * One round that the search wants measured. All asks of one phase and round are paired: measured one after the other,
 * in random order.
 *
 * @param round number within the phase, from 1
 */
public record Ask(LoaderConfig config, Phase phase, int round) {

    /** A first look at a config, by a sampler that knows no phases. */
    public static Ask first(LoaderConfig config) {
        return repeat(config, 1);
    }

    /**
     * The same config again.
     *
     * @param round 2 for the first repeat
     */
    public static Ask repeat(LoaderConfig config, int round) {
        return new Ask(config, Phase.SEARCH, round);
    }

    /** Names the interleaved round: {@code confirm-3}. */
    public String block() {
        return block(phase, round);
    }

    static String block(Phase phase, int round) {
        return phase.name().toLowerCase(Locale.ROOT) + "-" + round;
    }

    /** Whether the training step is part of what is measured. */
    public boolean withStep() {
        return phase != Phase.LOADER_ALONE;
    }

    /** How long to warm up and to measure. */
    public RoundPlan plan() {
        return phase == Phase.CONFIRM ? RoundPlan.confirming(config) : RoundPlan.exploring(config);
    }
}
