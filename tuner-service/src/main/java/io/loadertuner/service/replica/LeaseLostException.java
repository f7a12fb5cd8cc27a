package io.loadertuner.service.replica;

/** Another service runs what this one was running: nothing of it is stored from here any more. */
public final class LeaseLostException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public LeaseLostException(String message) {
        super(message);
    }
}
