package io.loadertuner.service.study;

/** What was asked for needs the machine to itself, and somebody else has it. */
final class MachineBusyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MachineBusyException(String why) {
        super(why);
    }
}
