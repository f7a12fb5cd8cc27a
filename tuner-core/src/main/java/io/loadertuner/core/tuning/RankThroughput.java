package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.RankMeasurement;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.measure.TimedRate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * What one of several ranks delivers.
 *
 * @param rank from 0
 */
public record RankThroughput(int rank, Throughput throughput) {

    /** Of each rank, by the rounds that measured the objective; none where there is one rank. */
    static List<RankThroughput> of(List<RoundRecord> rounds) {
        TreeMap<Integer, List<TimedRate>> rates = new TreeMap<>();
        for (RoundRecord round : rounds) {
            for (RankMeasurement rank : round.withStep() ? round.measurement().ranks() : List.<RankMeasurement>of()) {
                rates.computeIfAbsent(rank.rank(), any -> new ArrayList<>())
                        .add(new TimedRate(rank.samplesPerSecond(), round.elapsedSeconds()));
            }
        }
        return rates.entrySet().stream()
                .map(rank -> new RankThroughput(rank.getKey(), Throughput.of(rank.getValue())))
                .toList();
    }
}
