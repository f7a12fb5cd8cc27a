package io.loadertuner.service.study;

import java.util.Optional;

/** What whoever calls at the moment may do. */
public interface Caller {
    /** What their token was made for; empty where none is needed. */
    Optional<String> name();

    /** @throws CallerRefusedException unless the caller may have code of theirs run */
    void requireCode();

    /** @throws TooManyStudiesException if the caller has queued as many studies as they may for now */
    void requireAnotherStudy();
}
