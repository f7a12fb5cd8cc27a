package io.loadertuner.core.tuning;

/** Where a study stands. */
public enum StudyState {
    QUEUED,
    RUNNING,
    COMPLETED,
    CANCELLED,
    FAILED;

    public boolean isOver() {
        return this == COMPLETED || this == CANCELLED || this == FAILED;
    }
}
