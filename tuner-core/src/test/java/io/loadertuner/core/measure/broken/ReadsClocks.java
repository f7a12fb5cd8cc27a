package io.loadertuner.core.measure.broken;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.function.Supplier;

/** Reads clocks in every way that the house forbids, and in those that it allows. */
final class ReadsClocks {
    long milliseconds() {
        return System.currentTimeMillis();
    }

    long nanoseconds() {
        return System.nanoTime();
    }

    Instant now() {
        return Instant.now();
    }

    LocalDate today() {
        return LocalDate.now(ZoneOffset.UTC);
    }

    Instant nowBesideAClock(Clock clock) {
        return clock.instant().isBefore(Instant.MAX) ? Instant.now() : Instant.MAX;
    }

    Supplier<Instant> byReference() {
        return Instant::now;
    }

    Supplier<Instant> byLambda() {
        return () -> Instant.now();
    }

    Clock systemClock() {
        return Clock.systemUTC();
    }

    Clock systemClockOfAZone() {
        return Clock.system(ZoneOffset.UTC);
    }

    Clock tickingClock() {
        return Clock.tickSeconds(ZoneOffset.UTC);
    }

    InstantSource systemSource() {
        return InstantSource.system();
    }

    Instant allowedByAClock(Clock clock) {
        return Instant.now(clock);
    }

    Instant allowedByASource(InstantSource source) {
        return source.instant();
    }

    InstantSource allowedTicks(InstantSource source) {
        return InstantSource.tick(source, Duration.ofSeconds(1));
    }
}
