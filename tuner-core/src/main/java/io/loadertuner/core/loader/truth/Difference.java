package io.loadertuner.core.loader.truth;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.space.LoaderConfig;
import java.util.Map;

/**
 * How what a config delivers differs from what 0 workers do.
 *
 * @param message how much of what, without the config
 * @param details the same for machines
 */
record Difference(Kind kind, String message, Map<String, Object> details) {

    enum Kind {
        WRONG(
                "Do not use this config. Open files, connections and readers where samples are read (in __getitem__ or worker_init_fn), not in __init__: forked workers share what was opened before, its position too, and started ones have no globals that were set meanwhile."),
        DOUBLED(
                "Shard the stream in __iter__ by torch.utils.data.get_worker_info(), its id and num_workers. Copies are no throughput: until then only 0 or 1 worker can win."),
        MISSING(
                "Do not use this config: an epoch ends early without an error. Look for a StopIteration or a return in the dataset, and at how it deals its samples out to workers.");

        private final String advice;

        Kind(String advice) {
            this.advice = advice;
        }
    }

    /** Whether only the number of samples is another. */
    boolean isOfCount() {
        return kind != Kind.WRONG;
    }

    TrialFailure failureOf(LoaderConfig config) {
        return new TrialFailure(
                FailureReason.WRONG_DATA, config.describe() + ": " + message, kind.advice, Map.copyOf(details));
    }
}
