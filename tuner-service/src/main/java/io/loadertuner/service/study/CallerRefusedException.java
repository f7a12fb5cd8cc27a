package io.loadertuner.service.study;

/** The caller's role does not allow what they ask for. */
public final class CallerRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CallerRefusedException(String message) {
        super(message);
    }
}
