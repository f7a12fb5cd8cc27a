package io.loadertuner.core.loader.jcuda;

/** Loading ended because a sample could not be read. */
public final class LoadingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LoadingException(String message, Throwable cause) {
        super(message, cause);
    }
}
