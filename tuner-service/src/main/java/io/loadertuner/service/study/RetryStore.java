package io.loadertuner.service.study;

import io.loadertuner.core.tuning.FailureRecord;
import io.loadertuner.core.tuning.RoundRecord;
import io.loadertuner.service.replica.LeaseLostException;
import io.loadertuner.service.replica.Replica;
import io.loadertuner.service.store.JsonText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.support.TransactionOperations;

/** The table {@code retry}. */
@Repository
class RetryStore {
    private static final String SELECT = "select retry.asked, retry.study_id, retry.trial_number, retry.state,"
            + " retry.open_attempts, retry.rounds, retry.failure, retry.asked_at, retry.ended_at from retry ";

    private static final String FREE = Replica.isFree("retry");

    private final JdbcClient database;
    private final TransactionOperations transaction;
    private final String self;

    RetryStore(JdbcClient database, TransactionOperations transaction, Replica self) {
        this.database = database;
        this.transaction = transaction;
        this.self = self.id();
    }

    /** Queues one if none of that trial is waiting or running; false if one is, or there is no such trial. */
    boolean add(String studyId, int trial, Instant now) {
        return Boolean.TRUE.equals(transaction.execute(status -> {
            // Held until the end of the transaction: of two that ask at once, the second sees the first.
            boolean there = database.sql("""
                            select number from trial where study_id = :studyId and number = :trial for update
                            """)
                    .param("studyId", studyId)
                    .param("trial", trial)
                    .query(Integer.class)
                    .optional()
                    .isPresent();
            boolean pending = ofTrial(studyId, trial).stream().anyMatch(retry -> !retry.isOver());
            if (!there || pending) {
                return false;
            }
            return database.sql("""
                            insert into retry (study_id, trial_number, state, open_attempts, rounds, asked_at)
                            values (:studyId, :trial, 'queued', 0, '[]', :now)
                            """)
                            .param("studyId", studyId)
                            .param("trial", trial)
                            .param("now", column(now))
                            .update()
                    == 1;
        }));
    }

    /** Those of a trial, in the order of asking. */
    List<Retry> ofTrial(String studyId, int trial) {
        return database.sql(SELECT + "where study_id = :studyId and trial_number = :trial order by asked")
                .param("studyId", studyId)
                .param("trial", trial)
                .query(RetryStore::row)
                .list();
    }

    /**
     * The one whose turn it is on machines of that type, of those that no other service runs: one that was cut off, else the
     * one asked for first.
     */
    Optional<Retry> next(String machineType) {
        return database.sql(SELECT + """
                        join study on study.id = retry.study_id
                        where retry.state in ('running', 'queued') and study.machine_type = :machineType and
                        """ + FREE + """
                        order by case when retry.state = 'running' then 0 else 1 end, retry.asked
                        limit 1
                        """)
                .param("machineType", machineType)
                .param("self", self)
                .query(RetryStore::row)
                .optional();
    }

    /** Makes this service the one that runs it; false if it is over, or another does. */
    boolean claim(Retry retry) {
        return database.sql(
                                "update retry set runner = :self where asked = :asked and state in ('running', 'queued') and "
                                        + FREE)
                        .param("self", self)
                        .param("asked", retry.asked())
                        .update()
                == 1;
    }

    /** Whether it is still this service's own. */
    boolean begin(Retry retry) {
        return database.sql("""
                        update retry set state = 'running', open_attempts = open_attempts + 1
                        where asked = :asked and runner = :self
                        """)
                        .param("asked", retry.asked())
                        .param("self", self)
                        .update()
                == 1;
    }

    /** Takes back {@link #begin}. */
    void suspend(Retry retry) {
        database.sql("""
                        update retry set state = 'queued', open_attempts = open_attempts - 1
                        where asked = :asked and runner = :self
                        """).param("asked", retry.asked()).param("self", self).update();
    }

    /** Any service may go on with it. */
    void handBack(Retry retry) {
        database.sql("update retry set runner = null where asked = :asked and runner = :self")
                .param("asked", retry.asked())
                .param("self", self)
                .update();
    }

    /**
     * To be called first in a transaction that stores what came of it: until its end no other service takes it over.
     *
     * @throws LeaseLostException if another has
     */
    void requireHeld(Retry retry) {
        boolean locked = database.sql("select asked from retry where asked = :asked and runner = :self for update")
                .param("asked", retry.asked())
                .param("self", self)
                .query(Long.class)
                .optional()
                .isPresent();
        if (!locked) {
            throw new LeaseLostException(
                    "another service tries trial %d of study %s again".formatted(retry.trial(), retry.studyId()));
        }
    }

    void end(Retry retry, List<RoundRecord> rounds, @Nullable FailureRecord failure, Instant now) {
        Retry.State state = failure == null ? Retry.State.COMPLETE : Retry.State.FAILED;
        database.sql("""
                        update retry set state = :state, open_attempts = 0, rounds = :rounds, failure = :failure,
                                         ended_at = :now
                        where asked = :asked
                        """)
                .param("state", state.column())
                .param("rounds", JsonText.of(rounds))
                .param("failure", failure == null ? null : JsonText.of(failure), Types.VARCHAR)
                .param("now", column(now))
                .param("asked", retry.asked())
                .update();
    }

    private static Retry row(ResultSet row, int number) throws SQLException {
        String failure = row.getString("failure");
        OffsetDateTime ended = row.getObject("ended_at", OffsetDateTime.class);
        return new Retry(
                row.getLong("asked"),
                row.getString("study_id"),
                row.getInt("trial_number"),
                Retry.State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                row.getInt("open_attempts"),
                List.of(JsonText.read(row.getString("rounds"), RoundRecord[].class)),
                failure == null ? null : JsonText.read(failure, FailureRecord.class),
                row.getObject("asked_at", OffsetDateTime.class).toInstant(),
                ended == null ? null : ended.toInstant());
    }

    private static OffsetDateTime column(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }
}
