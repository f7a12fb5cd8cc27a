package io.loadertuner.service.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.loadertuner.service.InstantLoader;
import io.loadertuner.service.RunningService;
import io.loadertuner.service.TestDatabase;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Schedules of two services on one PostgreSQL. */
class SharedSchedulesIT {
    private static final List<String> NIGHTS =
            List.of("2026-03-28T02:00:01Z", "2026-03-29T01:00:01Z", "2026-03-30T01:00:01Z", "2026-03-31T01:00:01Z");

    @TempDir
    Path first;

    @TempDir
    Path second;

    @Test
    void eachTimeIsRunOnceAcrossTheChangeToSummerTime() {
        SettableClock clock = new SettableClock("2026-03-27T12:00:00Z");
        String[] database = TestDatabase.postgresql(first);
        try (RunningService here = RunningService.start(first, new InstantLoader(), clock, database);
                RunningService there = RunningService.start(second, new InstantLoader(), clock, database)) {
            String id = here.calls()
                    .post("/api/v1/schedules", """
                            {"study": %s, "cron": "0 3 * * *", "time_zone": "Europe/Berlin"}
                            """.formatted(RunningService.descriptor("photos")))
                    .text("id");
            JdbcClient sql = here.bean(JdbcClient.class);
            for (int night = 0; night < NIGHTS.size(); night++) {
                clock.set(NIGHTS.get(night));
                here.bean(DueRuns.class).look();
                there.bean(DueRuns.class).look();
                int runs = night + 1;
                await().atMost(RunningService.SOON)
                        .until(() -> sql.sql("select count(*) from schedule_run where state = 'done'")
                                        .query(Integer.class)
                                        .single()
                                == runs);
                await().atMost(RunningService.SOON)
                        .until(() -> sql.sql("select count(*) from study where ended_at is null")
                                        .query(Integer.class)
                                        .single()
                                == 0);
            }

            assertThat(sql.sql("select outcome from schedule_run order by run")
                            .query(String.class)
                            .list())
                    .containsExactly("first", "quiet", "quiet", "quiet");
            assertThat(sql.sql("select count(*) from study")
                            .query(Integer.class)
                            .single())
                    .isEqualTo(1);
            assertThat(there.calls().get("/api/v1/schedules/" + id).text("next_run_at"))
                    .isEqualTo("2026-04-01T01:00:00Z");
        }
    }
}
