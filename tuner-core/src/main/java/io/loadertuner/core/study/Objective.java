package io.loadertuner.core.study;

/** What a study optimises. */
@FunctionalInterface
public interface Objective {

    /**
     * Measures a trial's config; may {@linkplain Trial#report report} on the way and end early when {@link Trial#shouldPrune}.
     *
     * @throws InterruptedException to end the optimisation; the trial counts as never asked for
     */
    Outcome measure(Trial trial) throws InterruptedException;
}
