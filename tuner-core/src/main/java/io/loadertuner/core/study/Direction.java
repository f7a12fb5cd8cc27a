package io.loadertuner.core.study;

/** Which objective values are better. */
public enum Direction {
    /** A rate, such as samples per second. */
    MAXIMIZE,
    /** A duration, such as seconds per epoch. */
    MINIMIZE;

    /** The value as a rate: the larger the better. Its own inverse. */
    double asRate(double value) {
        return this == MAXIMIZE ? value : 1 / value;
    }
}
