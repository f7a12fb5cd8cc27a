package io.loadertuner.service.study;

/** A trial that there is no sense in trying again now. */
final class RetryRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Cause cause;

    enum Cause {
        NOT_FAILED("trial-not-failed", "The trial did not fail"),
        PENDING("retry-pending", "A retry is on its way"),
        OTHER_MACHINE("other-machine-type", "The study was made for other machines");

        private final String type;
        private final String title;

        Cause(String type, String title) {
            this.type = type;
            this.title = title;
        }

        String type() {
            return type;
        }

        String title() {
            return title;
        }
    }

    RetryRefusedException(Cause cause, String message) {
        super(message);
        this.cause = cause;
    }

    Cause why() {
        return cause;
    }
}
