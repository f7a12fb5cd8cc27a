package io.loadertuner.core.study;

import io.loadertuner.core.space.LoaderConfig;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What can be concluded from the failures so far about configs that were not tried. A conclusion that something measured
 * contradicts is not drawn.
 */
final class Lessons {
    private final List<Failed> failures = new ArrayList<>();
    private final Set<LoaderConfig> worked = new LinkedHashSet<>();

    private record Failed(LoaderConfig config, Implication implication) {}

    static Lessons of(List<Observation> observations) {
        Lessons lessons = new Lessons();
        observations.forEach(lessons::add);
        return lessons;
    }

    void add(Observation observation) {
        LoaderConfig config = observation.ask().config();
        String failure = observation.failure();
        if (failure == null) {
            worked.add(config);
        } else {
            Implication.of(failure).ifPresent(implication -> failures.add(new Failed(config, implication)));
        }
    }

    /** Why this config would fail; empty where nothing says so. */
    Optional<String> obstacle(LoaderConfig config) {
        return failures.stream()
                .flatMap(failed -> failed
                        .implication()
                        .obstacle(failed.config(), config)
                        .filter(reason -> !isRefuted(failed.implication(), config))
                        .stream())
                .findFirst();
    }

    private boolean isRefuted(Implication implication, LoaderConfig config) {
        return worked.stream().anyMatch(working -> implication.isRefuted(working, config));
    }
}
