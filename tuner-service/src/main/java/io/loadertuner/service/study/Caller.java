package io.loadertuner.service.study;

/** What whoever calls at the moment may do. */
public interface Caller {
    /** @throws CallerRefusedException unless the caller may have code of theirs run */
    void requireCode();

    /** @throws TooManyStudiesException if the caller has queued as many studies as they may for now */
    void requireAnotherStudy();
}
