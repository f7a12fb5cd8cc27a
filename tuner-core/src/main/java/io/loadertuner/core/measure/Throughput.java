package io.loadertuner.core.measure;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rate with what is known of its uncertainty: the interval is for the mean rate from the study's beginning to the last
 * round. In another hour the machine may be in another mood.
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
     * The median of some rounds, with an interval where there are enough. The scatter of the rounds is its error as far as
     * they know nothing of each other; drift, which they share, is taken to deviate as much again, however close they lie.
     *
     * @param rates one per round; not empty
     */
    public static Throughput of(List<TimedRate> rates) {
        List<Double> logs =
                rates.stream().map(rate -> Math.log(rate.samplesPerSecond())).toList();
        double middle = Location.MEDIAN.of(logs);
        if (rates.size() < ROUNDS_FOR_AN_INTERVAL) {
            return new Throughput(Math.exp(middle), null, null, rates.size());
        }
        double drift = Drift.shareOfVariance(
                rates.stream().map(TimedRate::elapsedSeconds).toList());
        double half = LogNoise.pooled(List.of(logs), LogNoise.PRIOR_DEVIATION)
                .halfWidthWithShared(Location.MEDIAN, logs.size(), drift);
        return new Throughput(Math.exp(middle), Math.exp(middle - half), Math.exp(middle + half), rates.size());
    }
}
