package io.loadertuner.core.loader;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The names that failures have, each with what usually helps. */
public enum FailureReason {
    INVALID_CONFIG("Change the setting that the message names."),
    ENVIRONMENT_ERROR("Install what the message names into the interpreter, or configure another interpreter."),
    IMPORT_ERROR("Check the factory's name, python_path, and that the interpreter has what the module imports."),
    DATASET_ERROR("Read the traceback: the dataset itself raises this, also without the tuner."),
    COLLATE_ERROR(
            "Samples of one batch must have the same shapes; pad or crop them, or let the factory return a DataLoader with a collate_fn of your own."),
    WRONG_DATA("This config delivers other samples than 0 workers do; do not use it."),
    NOT_PICKLABLE("Use fork, or make the named part a function or class at the top level of a module."),
    WORKER_CRASHED("Look at the signal and the log: a native library, a handle opened before the fork, or memory."),
    SHARED_MEMORY_EXHAUSTED(
            "Enlarge /dev/shm (docker run --shm-size), or use fewer workers, less prefetch, smaller batches."),
    HOST_OUT_OF_MEMORY("Use fewer workers, less prefetch or smaller batches, or give the job more memory."),
    GPU_OUT_OF_MEMORY("Use a smaller batch."),
    TOO_MANY_OPEN_FILES("Raise the limit (ulimit -n), or use fewer workers and less prefetch."),
    PROCESS_LIMIT("Raise the limit on processes (ulimit -u, pids cgroup), or use fewer workers."),
    TIMED_OUT(
            "Read the stacks: they show where each process waits. If it had reason to, allow it more time (loader-tuner.limits)."),
    PROBE_LOST("The loading process ended without a result; look at its log."),
    RUNNER_ERROR("This is a fault of the tuner or its machine, not of the dataset; look at the service's log."),
    CANCELLED("Post the study again; it starts anew.");

    private final String advice;

    FailureReason(String advice) {
        this.advice = advice;
    }

    /** What usually helps. */
    public String advice() {
        return advice;
    }

    @JsonValue
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * @throws IllegalArgumentException for a name that is none
     */
    @JsonCreator
    public static FailureReason of(String code) {
        return valueOf(code.toUpperCase(Locale.ROOT));
    }
}
