package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a dataset that uses CUDA itself rules out: forked workers, and pinning what lies on a GPU already. */
record CudaObstacles(LoaderFacts facts) {
    private static final String FORK = "fork";
    private static final String OTHERWISE =
            ": start workers by spawn (\"space\": {\"multiprocessing_context\": \"spawn\"}), or ";

    /** Why this config cannot work; empty where it can. */
    Optional<String> obstacle(LoaderConfig config) {
        if (facts.kind().equals("batches")) {
            // What the function returns need not fork workers, and only hands over what it has finished.
            return Optional.empty();
        }
        if (config.pinMemory() && facts.samplesOnGpu()) {
            return Optional.of("samples lie on the GPU when they are read, and only host memory can be pinned");
        }
        String asked = config.multiprocessingContext();
        String startMethod = asked == null ? facts.startMethod() : asked;
        return config.numWorkers() > 0 && FORK.equals(startMethod) ? againstForking() : Optional.empty();
    }

    /** What is said of a whole study that searches this space. */
    List<String> notes(SearchSpace space) {
        List<String> notes = new ArrayList<>();
        if (facts.samplesOnGpu() && !facts.kind().equals("batches")) {
            notes.add("samples lie on the GPU when they are read, so pin_memory was not varied");
        }
        obstacle(space.config(
                        1,
                        LoaderConfig.DEFAULT_PREFETCH,
                        false,
                        space.batchSize().get(0)))
                .ifPresent(reason -> notes.add("forked workers were not tried: " + reason));
        return notes;
    }

    private Optional<String> againstForking() {
        if (facts.samplesOnGpu()) {
            return Optional.of("samples lie on the GPU when they are read, and forked workers cannot use CUDA"
                    + OTHERWISE + "return tensors in host memory");
        }
        if (facts.datasetInitialisedCuda()) {
            return Optional.of("building the dataset made a CUDA context, which forked workers cannot use" + OTHERWISE
                    + "have the dataset use CUDA nowhere but in the training step");
        }
        return Optional.empty();
    }
}
