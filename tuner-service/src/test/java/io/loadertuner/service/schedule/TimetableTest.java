package io.loadertuner.service.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loadertuner.core.space.InvalidFieldException;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimetableTest {

    private static List<String> next(Timetable timetable, String now, int count) {
        return Stream.iterate(timetable.next("id", Instant.parse(now)), due -> timetable.next("id", due))
                .limit(count)
                .map(Instant::toString)
                .toList();
    }

    /** In Berlin clocks go from 2:00 to 3:00 on 29 March 2026, when it is 1:00 in UTC. */
    @Test
    void threeInTheMorningIsThreeInTheMorningBeforeAndAfterTheChangeToSummerTime() {
        assertThat(next(new Timetable("0 3 * * *", "Europe/Berlin", 0), "2026-03-27T12:00:00Z", 3))
                .containsExactly("2026-03-28T02:00:00Z", "2026-03-29T01:00:00Z", "2026-03-30T01:00:00Z");
    }

    @Test
    void aTimeThatTheChangeLeavesOutIsDueOnceAfterIt() {
        List<String> due = next(new Timetable("30 2 * * *", "Europe/Berlin", 0), "2026-03-28T12:00:00Z", 2);

        assertThat(due.get(0)).isBetween("2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z");
        assertThat(due.get(1)).isEqualTo("2026-03-30T00:30:00Z");
    }

    /** On 25 October 2026 it is 2:30 twice: at 0:30 and at 1:30 in UTC. */
    @Test
    void aTimeThatComesTwiceIsDueOnce() {
        assertThat(next(new Timetable("30 2 * * *", "Europe/Berlin", 0), "2026-10-24T12:00:00Z", 2))
                .containsExactly("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
    }

    @Test
    void fieldsMayBeginWithSecondsOrBeAName() {
        assertThat(next(new Timetable("0 0 3 * * SUN", "UTC", 0), "2026-11-30T00:00:00Z", 1))
                .containsExactly("2026-12-06T03:00:00Z");
        assertThat(next(new Timetable("@daily", "UTC", 0), "2026-11-30T00:00:00Z", 1))
                .containsExactly("2026-12-01T00:00:00Z");
    }

    @Test
    void delaysLieWithinTheirBoundDifferAndAreTheSameForTheSameTime() {
        Timetable timetable = new Timetable("0 3 * * *", "UTC", 3600);
        Instant now = Instant.parse("2026-11-30T12:00:00Z");

        List<Long> delays = IntStream.range(0, 50)
                .mapToObj(id -> timetable.next("id-" + id, now).getEpochSecond()
                        - Instant.parse("2026-12-01T03:00:00Z").getEpochSecond())
                .toList();

        assertThat(delays).allMatch(delay -> delay >= 0 && delay <= 3600);
        assertThat(delays.stream().distinct().count()).isGreaterThan(40);
        assertThat(timetable.next("id", now)).isEqualTo(timetable.next("id", now.plusSeconds(7)));
        assertThat(next(timetable, "2026-11-30T12:00:00Z", 3))
                .extracting(due -> due.substring(0, 10))
                .containsExactly("2026-12-01", "2026-12-02", "2026-12-03");
    }

    /** Three o'clock is past, its delay is not. */
    @Test
    void aDelayedTimeIsStillToCome() {
        Timetable timetable = new Timetable("0 3 * * *", "UTC", 86_400);
        Instant due = timetable.next("id", Instant.parse("2026-12-01T02:59:59Z"));
        Instant between = Instant.parse("2026-12-01T03:00:01Z");

        assertThat(timetable.next("id", between)).isAfter(between).isBeforeOrEqualTo(due);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "often     | UTC           | 0      | cron",
                "* * * * * | UTC           | 0      | cron",
                "0 3 31 2 * | UTC          | 0      | cron",
                "0 3 * * * | Europe/Nowhere | 0     | time_zone",
                "0 3 * * * | UTC           | -1     | jitter_seconds",
                "0 3 * * * | UTC           | 86401  | jitter_seconds",
            })
    void whatMakesNoSenseIsRefusedByName(String cron, String zone, int jitter, String field) {
        assertThatThrownBy(() -> new Timetable(cron, zone, jitter))
                .isInstanceOf(InvalidFieldException.class)
                .hasMessageStartingWith(field);
    }
}
