package io.loadertuner.core.loader.jcuda;

/** One sample cannot be decoded; the others may be sound. */
public final class CorruptSampleException extends Exception {
    private static final long serialVersionUID = 1;

    /** @param message names the sample */
    public CorruptSampleException(String message) {
        super(message);
    }

    /** @param message names the sample */
    public CorruptSampleException(String message, Throwable cause) {
        super(message, cause);
    }
}
