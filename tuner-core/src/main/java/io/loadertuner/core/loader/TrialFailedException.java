package io.loadertuner.core.loader;

/** A trial that failed, with the reason. */
public final class TrialFailedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient TrialFailure failure;

    public TrialFailedException(TrialFailure failure) {
        super(failure.reason().code() + ": " + failure.message());
        this.failure = failure;
    }

    public TrialFailedException(TrialFailure failure, Throwable cause) {
        super(failure.reason().code() + ": " + failure.message(), cause);
        this.failure = failure;
    }

    public TrialFailure failure() {
        return failure;
    }
}
