package io.loadertuner.core.diagnosis;

import java.util.List;
import java.util.Optional;

/** A first round over data that nobody had read, against later ones of the same config. */
public final class ColdFirstPass {
    private static final double FASTER = 1.5;
    private static final int LEAST_LATER_ROUNDS = 2;

    private ColdFirstPass() {}

    /**
     * @param coldSamplesPerSecond of the study's first round, which stayed within the first pass
     * @param laterSamplesPerSecond of the rounds of the same config after it
     */
    public static Optional<Finding> finding(double coldSamplesPerSecond, List<Double> laterSamplesPerSecond) {
        if (laterSamplesPerSecond.size() < LEAST_LATER_ROUNDS
                || laterSamplesPerSecond.stream().anyMatch(rate -> rate < FASTER * coldSamplesPerSecond)) {
            return Optional.empty();
        }
        double warm = laterSamplesPerSecond.stream().sorted().toList().get(laterSamplesPerSecond.size() / 2);
        return Optional.of(
                Finding.advice(
                        "cold_first_pass",
                        Finding.text(
                                "cold, in the study's first round, it was %.0f samples/s; warm, in %d later rounds of the same config, %.0f",
                                coldSamplesPerSecond, laterSamplesPerSecond.size(), warm),
                        "The first epoch runs at the cold rate, and every epoch does if the data does not fit the page cache: then tune with data that was not read lately, or copy it to faster storage first."));
    }
}
