package io.loadertuner.core.tuning;

import io.loadertuner.core.study.Ask;

/** Is told how a study goes on, on the tuner's own thread. */
public interface TuningListener {
    TuningListener NONE = new TuningListener() {};

    /** A round of a trial is about to be measured. */
    default void roundBegun(int trial, Ask ask) {}

    /** A round has ended, well or not; {@code study} is how it stands now. */
    default void roundEnded(TrialReport trial, StudyReport study) {}
}
