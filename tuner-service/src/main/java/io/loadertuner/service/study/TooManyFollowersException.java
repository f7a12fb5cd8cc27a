package io.loadertuner.service.study;

/** As many follow studies as can be told what happens. */
final class TooManyFollowersException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyFollowersException(int most) {
        super("events are told to %d callers at a time".formatted(most));
    }
}
