package io.loadertuner.core.study.sampler;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Draws a config by drawing the value of each setting. Without workers many draws are one config, so drawing from the list
 * of configs would show 0 workers as many times too seldom as there are prefetch factors.
 */
final class RandomDraw {
    private static final int DRAWS = 20;

    private RandomDraw() {}

    /**
     * One of {@code untried}; by its place in the list where so many draws only met others.
     *
     * @param untried not empty
     */
    static LoaderConfig from(List<LoaderConfig> untried, SearchSpace space, RandomGenerator random) {
        Set<LoaderConfig> wanted = new HashSet<>(untried);
        for (int draw = 0; draw < DRAWS; draw++) {
            LoaderConfig config = space.config(
                    any(space.numWorkers(), random),
                    any(space.prefetchFactor(), random),
                    any(space.pinMemory(), random),
                    any(space.batchSize(), random));
            if (wanted.contains(config)) {
                return config;
            }
        }
        return any(untried, random);
    }

    private static <T> T any(List<T> values, RandomGenerator random) {
        return values.get(random.nextInt(values.size()));
    }
}
