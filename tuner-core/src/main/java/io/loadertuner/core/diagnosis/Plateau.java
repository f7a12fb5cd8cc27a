package io.loadertuner.core.diagnosis;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.stream.Collectors;

/** A number of workers from which on more of them deliver no more, though cores are idle. */
public final class Plateau {
    private static final double NO_MORE = 1.25;
    private static final double MORE = 1.5;

    private Plateau() {}

    /**
     * @param samplesPerSecond by number of workers, all else equal
     * @param from the number of workers that is recommended, one of those
     */
    public static Optional<Finding> finding(NavigableMap<Integer, Double> samplesPerSecond, int from) {
        double reached = samplesPerSecond.getOrDefault(from, 0.0);
        Map.Entry<Integer, Double> fewer = samplesPerSecond.lowerEntry(from);
        NavigableMap<Integer, Double> more = samplesPerSecond.tailMap(from, false);
        if (fewer == null
                || reached < MORE * fewer.getValue()
                || more.isEmpty()
                || more.lastKey() < MORE * from
                || more.values().stream().anyMatch(rate -> rate > NO_MORE * reached)) {
            return Optional.empty();
        }
        String curve = samplesPerSecond.entrySet().stream()
                .map(entry -> Finding.text("%d gave %.0f", entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
        return Optional.of(Finding.advice(
                "plateau",
                Finding.text(
                        "the rate grows up to %d workers and no further (samples/s by workers: %s), while cores are idle",
                        from, curve),
                Finding.text(
                        "Something that all workers share serves about %d at a time: storage, a lock, a limit on connections, or the training process that takes in their batches. More of that helps; more workers do not.",
                        from)));
    }
}
