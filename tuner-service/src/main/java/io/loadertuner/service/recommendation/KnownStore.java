package io.loadertuner.service.recommendation;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** What tells whether anything that answers rest on was stored. */
@Repository
class KnownStore {
    private final JdbcClient database;

    KnownStore(JdbcClient database) {
        this.database = database;
    }

    /**
     * Differs wherever something was stored in between.
     *
     * @param newest the place of the newest recommendation
     * @param underWay the sum of the places of all studies that are not over; none is posted twice
     * @param running the same of those that run
     * @param machineSeenAt when a machine type was last seen
     * @param confirmedAt when a recommendation was last found to hold
     * @param driftedAt when one was last found not to
     */
    record State(
            long newest, long underWay, long running, Instant machineSeenAt, Instant confirmedAt, Instant driftedAt) {
        static final State NOTHING = new State(0, 0, 0, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH);
    }

    State state() {
        return database.sql("""
                        select (select coalesce(max(made), 0) from recommendation) as newest,
                               (select coalesce(sum(posted), 0) from study where state in ('queued', 'running')) as under_way,
                               (select coalesce(sum(posted), 0) from study where state = 'running') as running,
                               (select max(last_seen_at) from machine_type) as machine_seen_at,
                               (select max(confirmed_at) from recommendation) as confirmed_at,
                               (select max(drifted_at) from recommendation) as drifted_at
                        """)
                .query((row, number) -> new State(
                        row.getLong("newest"),
                        row.getLong("under_way"),
                        row.getLong("running"),
                        instant(row, "machine_seen_at"),
                        instant(row, "confirmed_at"),
                        instant(row, "drifted_at")))
                .single();
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? Instant.EPOCH : time.toInstant();
    }
}
