package io.loadertuner.service.replica;

import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table {@code replica}, and messages through PostgreSQL. */
@Repository
class ReplicaStore {
    /** PostgreSQL's name for what is listened to. */
    static final String CHANNEL = "loader_tuner";

    /** Those whose lease ended so long ago are not heard of again. */
    private static final Duration LONG_AGO = Duration.ofDays(1);

    private static final String LATER = "current_timestamp + cast(:seconds as numeric(12, 3)) * interval '1' second";

    private final JdbcClient database;

    ReplicaStore(JdbcClient database) {
        this.database = database;
    }

    /** It lives from now on until the lease ends. */
    void live(String id, Duration lease) {
        double seconds = lease.toMillis() / 1000.0;
        int known = database.sql("update replica set lease_until = " + LATER + " where id = :id")
                .param("seconds", seconds)
                .param("id", id)
                .update();
        if (known == 0) {
            database.sql("insert into replica (id, lease_until) values (:id, " + LATER + ")")
                    .param("id", id)
                    .param("seconds", seconds)
                    .update();
            database.sql("delete from replica where lease_until < " + LATER)
                    .param("seconds", -LONG_AGO.toSeconds())
                    .update();
        }
    }

    /** It lives no more. */
    void leave(String id) {
        database.sql("delete from replica where id = :id").param("id", id).update();
    }

    /** Tells everyone who listens, as soon as the transaction is committed, if there is one. */
    void tell(String text) {
        database.sql("select pg_notify('" + CHANNEL + "', :text)")
                .param("text", text)
                .query((row, number) -> text)
                .single();
    }
}
