package io.loadertuner.service.recommendation;

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
     */
    record State(long newest, long underWay, long running, Instant machineSeenAt) {
        static final State NOTHING = new State(0, 0, 0, Instant.EPOCH);
    }

    State state() {
        return database.sql("""
                        select (select coalesce(max(made), 0) from recommendation) as newest,
                               (select coalesce(sum(posted), 0) from study where state in ('queued', 'running')) as under_way,
                               (select coalesce(sum(posted), 0) from study where state = 'running') as running,
                               (select max(last_seen_at) from machine_type) as machine_seen_at
                        """)
                .query((row, number) -> {
                    OffsetDateTime seen = row.getObject("machine_seen_at", OffsetDateTime.class);
                    return new State(
                            row.getLong("newest"),
                            row.getLong("under_way"),
                            row.getLong("running"),
                            seen == null ? Instant.EPOCH : seen.toInstant());
                })
                .single();
    }
}
