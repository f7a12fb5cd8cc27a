package io.loadertuner.core.loader.jcuda;

/** What becomes of a batch one of whose samples cannot be decoded. */
public enum OnCorrupt {
    /** Loading ends with the sample's name. */
    FAIL,
    /** The batch has one sample less, and the sample is named among those skipped. */
    SKIP
}
