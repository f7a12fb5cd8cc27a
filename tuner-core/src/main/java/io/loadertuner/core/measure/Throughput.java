package io.loadertuner.core.measure;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rate with what is known of its uncertainty.
 *
 * @param samplesPerSecond median over the rounds
 * @param low lower end of the 95 % interval, null below three rounds
 * @param high upper end of it, null below three rounds
 * @param rounds how many rounds it rests on, at least 1
 */
public record Throughput(
        double samplesPerSecond,
        @Nullable Double low,
        @Nullable Double high,
        int rounds) {
    private static final int ROUNDS_FOR_AN_INTERVAL = 3;

    /**
     * The median of the logarithms, raised again: with an even number of rounds the geometric mean of the middle two.
     *
     * @param rates samples per second, one per round, each above 0; not empty
     */
    public static double median(List<Double> rates) {
        return Math.exp(Location.MEDIAN.of(rates.stream().map(Math::log).toList()));
    }

    /**
     * The median of some rounds, with an interval where there are enough.
     *
     * @param rates samples per second, one per round, each above 0; not empty
     */
    public static Throughput of(List<Double> rates) {
        List<Double> logs = rates.stream().map(Math::log).toList();
        double middle = Location.MEDIAN.of(logs);
        if (rates.size() < ROUNDS_FOR_AN_INTERVAL) {
            return new Throughput(Math.exp(middle), null, null, rates.size());
        }
        double half =
                LogNoise.pooled(List.of(logs), LogNoise.PRIOR_DEVIATION).halfWidth(Location.MEDIAN, logs.size(), 1);
        return new Throughput(Math.exp(middle), Math.exp(middle - half), Math.exp(middle + half), rates.size());
    }
}
