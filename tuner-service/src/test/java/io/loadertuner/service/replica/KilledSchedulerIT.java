package io.loadertuner.service.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.loadertuner.service.RunningService;
import io.loadertuner.service.TestDatabase;
import io.loadertuner.service.replica.InstantService.Running;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that is killed after it took a schedule that was due, and before it had queued the run. */
class KilledSchedulerIT {
    private static final Duration LONG = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    @Test
    void whatWasDueIsRunOnceByWhoeverComesNext() throws Exception {
        OneDatabase database = new OneDatabase(TestDatabase.postgresql(folder));
        String id;
        try (Running killed = InstantService.start(folder, 0, TestDatabase.postgresql(folder))) {
            id = killed.calls()
                    .post("/api/v1/schedules", """
                            {"study": %s, "cron": "0 3 1 1 *"}
                            """.formatted(RunningService.descriptor("photos")))
                    .text("id");
            try (Connection held = database.connection();
                    Statement statement = held.createStatement()) {
                held.setAutoCommit(false);
                statement.execute("select id from schedule for update");
                database.update("update scheduled_tasks set execution_time = '2026-01-01T03:00:00Z'");
                await().atMost(LONG)
                        .until(() -> database.count("select count(*) from scheduled_tasks where picked") == 1);

                killed.signal("KILL");
                killed.process().waitFor();
                held.rollback();
            }
        }
        assertThat(database.count("select count(*) from schedule_run")).isZero();

        try (Running next = InstantService.start(folder, 0, TestDatabase.postgresql(folder))) {
            await().atMost(LONG)
                    .until(() -> database.count("select count(*) from study where state = 'completed'") == 1);

            assertThat(database.column("select schedule_id from schedule_run")).containsExactly(id);
            assertThat(database.count("select count(*) from study")).isEqualTo(1);
            assertThat(next.calls().get("/api/v1/schedules/" + id).text("next_run_at"))
                    .isGreaterThan("2026-12");
        }
    }
}
