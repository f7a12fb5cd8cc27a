package io.loadertuner.core.tuning;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The search space as it was asked for; what is left out is chosen by the tuner.
 *
 * @param persistentWorkers what every config with workers has; true where none is given
 * @param multiprocessingContext start method of the workers; PyTorch's own where none is given
 */
public record SpaceRequest(
        @Nullable IntegerRange numWorkers,
        @Nullable IntegerRange prefetchFactor,
        @Nullable List<Boolean> pinMemory,
        @Nullable IntegerRange batchSize,
        @Nullable Boolean persistentWorkers,
        @Nullable String multiprocessingContext) {
    static final SpaceRequest ANY = new SpaceRequest(null, null, null, null, null, null);
}
