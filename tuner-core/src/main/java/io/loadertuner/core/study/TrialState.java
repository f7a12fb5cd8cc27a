package io.loadertuner.core.study;

/** Where a trial stands. It is complete after its first round; more rounds sharpen it. */
public enum TrialState {
    RUNNING,
    COMPLETE,
    PRUNED,
    FAILED,
    SKIPPED
}
