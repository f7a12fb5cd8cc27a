package io.loadertuner.core.measure;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Quantiles of Student's t. A search asks for the same few at every step, and working one out costs as much as all the rest
 * of a comparison: they are kept.
 */
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
