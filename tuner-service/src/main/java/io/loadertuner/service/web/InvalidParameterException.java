package io.loadertuner.service.web;

/** A parameter of the call's address that cannot be accepted. */
public final class InvalidParameterException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String parameter;

    public InvalidParameterException(String parameter, String problem) {
        super(parameter + ": " + problem);
        this.parameter = parameter;
    }

    public String parameter() {
        return parameter;
    }
}
