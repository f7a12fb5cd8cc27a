package io.loadertuner.core.study;

/** What a round is measured for. */
public enum Phase {
    /** Repeats of the baseline: what the user has, and how noisy this machine is. */
    BASELINE,
    /** The baseline's loader without the step. */
    LOADER_ALONE,
    /** One round for each number of workers. */
    WORKERS,
    /** The best of what a sampler proposed, against each other. */
    RACE,
    PREFETCH_FACTOR,
    PIN_MEMORY,
    BATCH_SIZE,
    /** What a sampler proposes that knows no phases. */
    SEARCH,
    /** Contenders and baseline, interleaved: what the recommendation rests on. */
    CONFIRM
}
