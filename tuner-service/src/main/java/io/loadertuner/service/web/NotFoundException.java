package io.loadertuner.service.web;

/** There is nothing of that name. */
public class NotFoundException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param message names what there is none of */
    public NotFoundException(String message) {
        super(message);
    }
}
