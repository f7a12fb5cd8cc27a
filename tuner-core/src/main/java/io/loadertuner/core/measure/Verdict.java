package io.loadertuner.core.measure;

/** What a comparison of two rates can say. */
public enum Verdict {
    BETTER,
    WORSE,
    CANNOT_TELL
}
