package io.loadertuner.core.tuning;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A study's wall time: what earlier runs of it used, and the time since this one began. */
final class Stopwatch {
    private final InstantSource clock;
    private final Instant begun;
    private final double secondsBefore;

    Stopwatch(InstantSource clock, double secondsBefore) {
        this.clock = clock;
        this.begun = clock.instant();
        this.secondsBefore = secondsBefore;
    }

    double seconds() {
        return secondsBefore + Duration.between(begun, clock.instant()).toNanos() / 1e9;
    }
}
