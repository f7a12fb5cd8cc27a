package io.loadertuner.service.study;

import io.loadertuner.core.tuning.FailureRecord;
import io.loadertuner.core.tuning.RoundRecord;
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

    private final JdbcClient database;
    private final TransactionOperations transaction;

    RetryStore(JdbcClient database, TransactionOperations transaction) {
        this.database = database;
        this.transaction = transaction;
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

    /** The one whose turn it is on machines of that type: one that was cut off, else the one asked for first. */
    Optional<Retry> next(String machineType) {
        return database.sql(SELECT + """
                        join study on study.id = retry.study_id
                        where retry.state in ('running', 'queued') and study.machine_type = :machineType
                        order by case when retry.state = 'running' then 0 else 1 end, retry.asked
                        limit 1
                        """)
                .param("machineType", machineType)
                .query(RetryStore::row)
                .optional();
    }

    void begin(Retry retry) {
        database.sql("update retry set state = 'running', open_attempts = open_attempts + 1 where asked = :asked")
                .param("asked", retry.asked())
                .update();
    }

    /** Takes back {@link #begin}. */
    void suspend(Retry retry) {
        database.sql("update retry set state = 'queued', open_attempts = open_attempts - 1 where asked = :asked")
                .param("asked", retry.asked())
                .update();
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
