package io.loadertuner.core.tuning;

import io.loadertuner.core.space.LoaderConfig;
import org.jspecify.annotations.Nullable;

/** What the user runs today; what is left out is PyTorch's own default. */
public record BaselineRequest(
        @Nullable Integer numWorkers,
        @Nullable Integer prefetchFactor,
        @Nullable Boolean pinMemory,
        @Nullable Integer batchSize,
        @Nullable Boolean persistentWorkers,
        @Nullable String multiprocessingContext) {
    static final BaselineRequest PYTORCH_DEFAULTS = new BaselineRequest(null, null, null, null, null, null);

    static BaselineRequest of(LoaderConfig config) {
        return new BaselineRequest(
                config.numWorkers(),
                config.prefetchFactor(),
                config.pinMemory(),
                config.batchSize(),
                config.persistentWorkers(),
                config.multiprocessingContext());
    }
}
