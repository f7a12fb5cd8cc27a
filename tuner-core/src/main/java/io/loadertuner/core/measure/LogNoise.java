package io.loadertuner.core.measure;

import java.util.Collection;
import java.util.List;

/**
 * The standard deviation of a rate's logarithm, pooled over groups of repeats and held by a prior, so that three lucky
 * rounds prove nothing.
 *
 * <p>The prior counts as {@value #PRIOR_DEGREES} degrees of freedom at what rounds of the real {@code DataLoader} on shared
 * machines showed.
 *
 * @param deviation standard deviation of one value, above 0
 * @param degreesOfFreedom of its estimate, the prior's included
 */
public record LogNoise(double deviation, int degreesOfFreedom) {
    /** Of rates of one config measured at different times: the machine's drift is in it. */
    static final double PRIOR_DEVIATION = 0.10;

    /** Of rates within one interleaved round, whose drift is shared: docs/decisions/0009-more-power-per-second.md. */
    static final double PRIOR_DEVIATION_WITHIN_A_ROUND = 0.075;

    static final int PRIOR_DEGREES = 4;

    /**
     * @param groups values that would be equal within each group but for noise
     * @param priorDeviation what the values' deviation is expected to be before any is seen
     */
    static LogNoise pooled(Collection<List<Double>> groups, double priorDeviation) {
        double squares = PRIOR_DEGREES * priorDeviation * priorDeviation;
        int degrees = PRIOR_DEGREES;
        for (List<Double> group : groups) {
            double mean =
                    group.stream().mapToDouble(Double::doubleValue).average().orElse(0);
            for (double value : group) {
                squares += (value - mean) * (value - mean);
            }
            degrees += Math.max(0, group.size() - 1);
        }
        return new LogNoise(Math.sqrt(squares / degrees), degrees);
    }

    /** Standard error of the middle of {@code count} values. */
    double standardError(Location location, int count) {
        return location.overMean(count) * deviation / Math.sqrt(count);
    }

    /**
     * Half-width of the two-sided 95 % interval of the middle of {@code count} values, so wide that {@code intervals} of them
     * hold at once with 95 % confidence (Bonferroni).
     */
    double halfWidth(Location location, int count, int intervals) {
        return StudentQuantile.of(degreesOfFreedom, 1 - 0.025 / intervals) * standardError(location, count);
    }

    /**
     * Half-width of the two-sided 95 % interval around the middle of {@code count} values that the next value falls into, so wide
     * that {@code intervals} of them hold at once with 95 % confidence (Bonferroni).
     */
    double halfWidthOfNext(Location location, int count, int intervals) {
        return StudentQuantile.of(degreesOfFreedom, 1 - 0.025 / intervals)
                * Math.hypot(deviation, standardError(location, count));
    }

    /**
     * Half-width of the two-sided 95 % interval of the middle of {@code count} values that share a further error.
     *
     * @param shared that error's variance over that of one value, at least 0
     */
    double halfWidthWithShared(Location location, int count, double shared) {
        double error = Math.hypot(standardError(location, count), deviation * Math.sqrt(shared));
        return StudentQuantile.of(degreesOfFreedom, 0.975) * error;
    }

    /**
     * Distance of the one-sided bound from the middle of {@code count} values, so wide that {@code bounds} of them hold
     * at once with 95 % confidence.
     */
    double oneSidedDistance(Location location, int count, int bounds) {
        return StudentQuantile.of(degreesOfFreedom, 1 - 0.05 / bounds) * standardError(location, count);
    }
}
