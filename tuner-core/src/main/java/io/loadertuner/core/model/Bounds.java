package io.loadertuner.core.model;

/** What the figures of a model may be. */
final class Bounds {
    private Bounds() {}

    /** Above 0; infinity is allowed, and as a rate means free. */
    static void positive(String name, double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException(name + " must be above 0, but is " + value);
        }
    }

    static void notNegative(String name, double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(name + " must be a number from 0 on, but is " + value);
        }
    }
}
