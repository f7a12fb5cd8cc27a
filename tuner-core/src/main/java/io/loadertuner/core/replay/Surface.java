package io.loadertuner.core.replay;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalDouble;

/** The truth that a replay measures with noise: what each config delivers, what a round of it costs, and whether it works. */
public interface Surface {

    /**
     * What a config delivers to the training step.
     *
     * @return samples per second, above 0 also where it fails
     * @throws IllegalArgumentException if the surface knows nothing of this config
     */
    double samplesPerSecond(LoaderConfig config);

    /** What the loader alone would deliver; the same where there is no step. */
    default double loaderAloneSamplesPerSecond(LoaderConfig config) {
        return samplesPerSecond(config);
    }

    /** What the step alone takes in, in batches as large as this config's; empty without a step. */
    default OptionalDouble stepSamplesPerSecond(LoaderConfig config) {
        return OptionalDouble.empty();
    }

    /**
     * What the best config of a space delivers, those that fail left out.
     *
     * @throws NoSuchElementException if all of them fail
     */
    default double bestSamplesPerSecond(SearchSpace space) {
        return space.configs().stream()
                .filter(config -> failure(config).isEmpty())
                .mapToDouble(this::samplesPerSecond)
                .max()
                .orElseThrow();
    }

    /** Time of a round besides warm-up and window: building the loader, its first batch, tearing it down. */
    double overheadSeconds(LoaderConfig config);

    /**
     * How much the rates of a config's rounds were seen to differ where the surface was recorded.
     *
     * @return empty where that is not known
     */
    default Optional<RecordedNoise> recordedNoise(LoaderConfig config) {
        return Optional.empty();
    }

    /** The name of the failure that the config ends in; empty where it works. */
    default Optional<String> failure(LoaderConfig config) {
        return Optional.empty();
    }
}
