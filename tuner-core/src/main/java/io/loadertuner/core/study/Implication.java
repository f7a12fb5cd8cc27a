package io.loadertuner.core.study;

import io.loadertuner.core.space.LoaderConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * What a failure of one config says about others: whoever asks for more of what ran out fails too. The constants bear the
 * names of the failures; a failure without a constant says nothing about other configs.
 */
enum Implication {
    GPU_OUT_OF_MEMORY {
        @Override
        List<Long> demand(LoaderConfig config) {
            return List.of((long) config.batchSize());
        }

        @Override
        String because(LoaderConfig failed, LoaderConfig config) {
            return "the GPU's memory was exhausted at batch %d, and this has %d"
                    .formatted(failed.batchSize(), config.batchSize());
        }
    },

    HOST_OUT_OF_MEMORY {
        @Override
        List<Long> demand(LoaderConfig config) {
            return List.of((long) config.numWorkers(), (long) config.batchSize(), samplesInFlight(config));
        }

        @Override
        String because(LoaderConfig failed, LoaderConfig config) {
            return "memory was exhausted at " + failed.describe() + ", and this takes more";
        }
    },

    SHARED_MEMORY_EXHAUSTED {
        @Override
        List<Long> demand(LoaderConfig config) {
            return List.of(samplesInFlight(config));
        }

        @Override
        boolean speaksOf(LoaderConfig failed, LoaderConfig config) {
            return failed.numWorkers() > 0;
        }

        @Override
        String because(LoaderConfig failed, LoaderConfig config) {
            return "shared memory was exhausted by %d samples in flight (%s), and this has %d (workers × prefetch × batch)"
                    .formatted(samplesInFlight(failed), failed.describe(), samplesInFlight(config));
        }
    },

    /** Each tensor in flight may be an open file; so may be each sample of a batch that is not stacked. */
    TOO_MANY_OPEN_FILES {
        @Override
        List<Long> demand(LoaderConfig config) {
            return List.of((long) config.numWorkers(), (long) config.batchesInFlight(), (long) config.batchSize());
        }

        @Override
        boolean speaksOf(LoaderConfig failed, LoaderConfig config) {
            return failed.numWorkers() > 0;
        }

        @Override
        String because(LoaderConfig failed, LoaderConfig config) {
            return "the limit on open files was reached at " + failed.describe() + ", and this needs more";
        }
    },

    PROCESS_LIMIT {
        @Override
        List<Long> demand(LoaderConfig config) {
            return List.of((long) config.numWorkers());
        }

        @Override
        boolean speaksOf(LoaderConfig failed, LoaderConfig config) {
            return failed.numWorkers() > 0;
        }

        @Override
        String because(LoaderConfig failed, LoaderConfig config) {
            return "the limit on processes was reached at %d workers, and this has %d"
                    .formatted(failed.numWorkers(), config.numWorkers());
        }
    },

    /** A start method that cannot pickle what a worker needs cannot do so for any number of workers. */
    NOT_PICKLABLE {
        @Override
        List<Long> demand(LoaderConfig config) {
            return List.of();
        }

        @Override
        boolean speaksOf(LoaderConfig failed, LoaderConfig config) {
            return failed.numWorkers() > 0
                    && config.numWorkers() > 0
                    && Objects.equals(failed.multiprocessingContext(), config.multiprocessingContext());
        }

        @Override
        boolean asksForMore(LoaderConfig config, LoaderConfig failed) {
            return !config.equals(failed);
        }

        @Override
        String because(LoaderConfig failed, LoaderConfig config) {
            String method = config.multiprocessingContext();
            return "%s cannot pickle what workers need, as %s showed"
                    .formatted(method == null ? "the start method" : method, failed.describe());
        }
    };

    /** What the failure of that name implies; empty where that is nothing. */
    static Optional<Implication> of(String failure) {
        return Arrays.stream(values())
                .filter(implication ->
                        implication.name().toLowerCase(Locale.ROOT).equals(failure))
                .findFirst();
    }

    /** Why {@code config} need not be tried after {@code failed} did fail like this; empty where nothing follows. */
    Optional<String> obstacle(LoaderConfig failed, LoaderConfig config) {
        return speaksOf(failed, config) && asksForMore(config, failed)
                ? Optional.of(because(failed, config))
                : Optional.empty();
    }

    /** Whether, because {@code worked} does work, a failure elsewhere says nothing about {@code config}. */
    boolean isRefuted(LoaderConfig worked, LoaderConfig config) {
        return speaksOf(worked, config) && atLeast(demand(worked), demand(config));
    }

    /** How much of what ran out a config takes, one number for each thing that counts. */
    abstract List<Long> demand(LoaderConfig config);

    abstract String because(LoaderConfig failed, LoaderConfig config);

    /** Whether what happens to the one says anything about the other. */
    boolean speaksOf(LoaderConfig one, LoaderConfig other) {
        return true;
    }

    boolean asksForMore(LoaderConfig config, LoaderConfig failed) {
        List<Long> wanted = demand(config);
        List<Long> tooMuch = demand(failed);
        return atLeast(wanted, tooMuch) && !wanted.equals(tooMuch);
    }

    private static boolean atLeast(List<Long> one, List<Long> other) {
        for (int index = 0; index < one.size(); index++) {
            if (one.get(index) < other.get(index)) {
                return false;
            }
        }
        return true;
    }

    private static long samplesInFlight(LoaderConfig config) {
        return (long) config.batchesInFlight() * config.batchSize();
    }
}
