package io.loadertuner.service.schedule;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is set. */
final class SettableClock implements InstantSource {
    private volatile Instant now;

    SettableClock(String now) {
        this.now = Instant.parse(now);
    }

    void set(String instant) {
        now = Instant.parse(instant);
    }

    @Override
    public Instant instant() {
        return now;
    }
}
