package io.loadertuner.service.study;

/** An {@code Idempotency-Key} came with another body than before. */
final class IdempotencyKeyReusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    IdempotencyKeyReusedException(String before) {
        super("study '" + before + "' was posted with this Idempotency-Key and another body");
    }
}
