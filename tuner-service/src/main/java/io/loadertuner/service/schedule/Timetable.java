package io.loadertuner.service.schedule;

import io.loadertuner.core.space.InvalidFieldException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.SplittableRandom;
import org.springframework.scheduling.support.CronExpression;

/**
 * When a schedule is due: a cron expression in a time zone, and for each time a delay of its own, so that many schedules of one
 * hour do not fall on one minute. A time of day that the change to summer time leaves out is due at the first moment after it; one that comes
 * twice in autumn is due the first time.
 *
 * @param cron five fields from minute to day of the week, or six from second on, or {@code @daily} and the like
 * @param timeZone name of a zone of the IANA database
 * @param jitterSeconds the delay is from 0 to this, 0 to 86,400
 */
record Timetable(String cron, String timeZone, int jitterSeconds) {
    private static final Duration SHORTEST_PAUSE = Duration.ofMinutes(10);
    private static final int PAUSES_LOOKED_AT = 100;
    private static final int DAY_SECONDS = 86_400;
    private static final int FIELDS_WITHOUT_SECONDS = 5;
    private static final int LONGEST_CRON = 120;

    /** @throws InvalidFieldException if a field cannot be accepted */
    Timetable {
        InvalidFieldException.requireRange("jitter_seconds", jitterSeconds, 0, DAY_SECONDS);
        zone(timeZone);
        requireSparse(expression(cron), cron);
    }

    private static CronExpression expression(String cron) {
        String text = cron.strip();
        if (text.length() > LONGEST_CRON) {
            throw new InvalidFieldException("cron", "must have at most " + LONGEST_CRON + " characters");
        }
        try {
            boolean withoutSeconds = text.split("\\s+").length == FIELDS_WITHOUT_SECONDS;
            return CronExpression.parse(withoutSeconds ? "0 " + text : text);
        } catch (IllegalArgumentException malformed) {
            throw new InvalidFieldException(
                    "cron",
                    "must be like '0 3 * * SUN' (minute, hour, day of the month, month, day of the week) or '@daily', but is '%s': %s"
                            .formatted(cron, malformed.getMessage()));
        }
    }

    private static ZoneId zone(String name) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException unknown) {
            throw new InvalidFieldException(
                    "time_zone", "must be like 'Europe/Berlin' or 'UTC', but is '" + name + "'");
        }
    }

    /** Looked at where no clock is needed: the pauses of a cron expression are the same every year. */
    private static void requireSparse(CronExpression expression, String cron) {
        LocalDateTime at = LocalDateTime.of(2024, 1, 1, 0, 0);
        LocalDateTime before = null;
        for (int pause = 0; pause < PAUSES_LOOKED_AT; pause++) {
            at = expression.next(at);
            if (at == null) {
                if (before == null) {
                    throw new InvalidFieldException("cron", "must be due at some time, but '" + cron + "' never is");
                }
                return;
            }
            if (before != null && Duration.between(before, at).compareTo(SHORTEST_PAUSE) < 0) {
                throw new InvalidFieldException(
                        "cron",
                        "must leave at least %d minutes between two times, but '%s' does not"
                                .formatted(SHORTEST_PAUSE.toMinutes(), cron));
            }
            before = at;
        }
    }

    /**
     * The first time after {@code now}, with its delay.
     *
     * @param id whose delays they are: the same for the same id and time
     */
    Instant next(String id, Instant now) {
        CronExpression expression = expression(cron);
        ZoneId zone = zone(timeZone);
        // A time whose delay is not over yet is still to come.
        LocalDateTime local = now.minusSeconds(jitterSeconds).atZone(zone).toLocalDateTime();
        while (true) {
            local = expression.next(local);
            if (local == null) {
                throw new IllegalStateException("'" + cron + "' is due no more");
            }
            Instant at = instant(local, zone);
            Instant due = at.plusSeconds(delaySeconds(id, at));
            if (due.isAfter(now)) {
                return due;
            }
        }
    }

    /** By the clock on the wall: cron expressions of instants would leave out days, or come twice. */
    private static Instant instant(LocalDateTime local, ZoneId zone) {
        ZoneOffsetTransition change = zone.getRules().getTransition(local);
        return change != null && change.isGap()
                ? change.getInstant()
                : local.atZone(zone).toInstant();
    }

    private long delaySeconds(String id, Instant at) {
        return jitterSeconds == 0
                ? 0
                : new SplittableRandom(id.hashCode() * 31L + at.getEpochSecond()).nextLong(jitterSeconds + 1L);
    }
}
