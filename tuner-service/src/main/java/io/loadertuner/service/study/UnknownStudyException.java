package io.loadertuner.service.study;

/** There is no such study, or no such trial in it. */
public final class UnknownStudyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownStudyException(String what) {
        super(what);
    }
}
