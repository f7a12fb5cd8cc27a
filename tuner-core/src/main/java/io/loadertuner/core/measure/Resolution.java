package io.loadertuner.core.measure;

import java.util.List;

/** What difference a machine can resolve, told by repeats of one config. */
public final class Resolution {
    private Resolution() {}

    /**
     * The least relative difference between two configs that {@code pairs} paired rounds would call real: half-width of
     * the 95 % interval of their ratio, given how much repeats of one config varied.
     *
     * @param repeats samples per second of one config, each above 0; may be empty, the prior alone speaks then
     * @return a share of the slower rate: 0.11 is 11 %
     */
    public static double resolvableDifference(List<Double> repeats, int pairs) {
        List<Double> logs = repeats.stream().map(Math::log).toList();
        LogNoise one = LogNoise.pooled(List.of(logs), LogNoise.PRIOR_DEVIATION_WITHIN_A_ROUND);
        LogNoise difference = new LogNoise(Math.sqrt(2) * one.deviation(), one.degreesOfFreedom());
        return Math.expm1(difference.halfWidth(Location.HODGES_LEHMANN, pairs, 1));
    }
}
