package io.loadertuner.service.study;

/** Something that has this machine to itself while it runs. */
public interface Turn {

    /**
     * Runs on the measuring thread. Interrupted when it was cancelled or the service stops; must end within seconds then.
     *
     * @param shield to be behind whenever the database is used
     */
    void take(InterruptShield shield);

    /** Says that the interrupt that follows means: the service stops. */
    default void suspend() {}

    /** Its turn will not come: the service stops. */
    default void drop() {}
}
