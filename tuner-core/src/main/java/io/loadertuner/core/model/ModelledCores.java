package io.loadertuner.core.model;

/**
 * Cores that all runnable processes share equally, nobody having more than one.
 *
 * @param usable how many, above 0; a quota may make it fractional
 * @param contention how much longer work takes for each further process that runs at the same time (shared caches,
 *     memory bandwidth, locks of the kernel), at least 0: 0.2 is a fifth
 * @param switching how much longer work takes for each runnable process that finds no core, at least 0
 */
public record ModelledCores(double usable, double contention, double switching) {

    public ModelledCores {
        Bounds.positive("usable", usable);
        Bounds.notNegative("contention", contention);
        Bounds.notNegative("switching", switching);
    }

    /** Cores that do not get in each other's way. */
    public static ModelledCores ideal(double usable) {
        return new ModelledCores(usable, 0, 0);
    }

    /** Core seconds that each of {@code runnable} processes gets per second, above 0 and at most 1. */
    double speed(int runnable) {
        double running = Math.min(runnable, usable);
        double slowdown = 1 + contention * Math.max(0, running - 1) + switching * Math.max(0, runnable - usable);
        return running / (runnable * slowdown);
    }
}
