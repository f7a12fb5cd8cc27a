package io.loadertuner.service.study;

import io.loadertuner.service.web.NotFoundException;

/** There is no such study, or no such trial in it. */
public final class UnknownStudyException extends NotFoundException {
    private static final long serialVersionUID = 1L;

    UnknownStudyException(String what) {
        super(what);
    }
}
