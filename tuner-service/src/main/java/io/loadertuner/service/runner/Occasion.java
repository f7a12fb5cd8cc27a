package io.loadertuner.service.runner;

/** Why something is to be measured, and what is to be done before it is. */
public interface Occasion {

    /** In a few words, for others who wait. */
    String purpose();

    /** The machine is another's for now. */
    void waitsFor(String holder);

    /** The machine is free; false where nothing is to be measured any more. */
    default boolean begins() {
        return true;
    }
}
