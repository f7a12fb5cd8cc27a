package io.loadertuner.core.measure;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.statistics.distribution.TDistribution;

/** A quantile of Student's t. Those asked for are kept: a search needs the same few at every step, and each is costly. */
record StudentQuantile(int degreesOfFreedom, double probability) {
    private static final int MOST_KEPT = 10_000;
    private static final Map<StudentQuantile, Double> KEPT = new ConcurrentHashMap<>();

    static double of(int degreesOfFreedom, double probability) {
        if (KEPT.size() > MOST_KEPT) {
            KEPT.clear();
        }
        return KEPT.computeIfAbsent(new StudentQuantile(degreesOfFreedom, probability), StudentQuantile::value);
    }

    private double value() {
        return TDistribution.of(degreesOfFreedom).inverseCumulativeProbability(probability);
    }
}
