package io.loadertuner.service.study;

import io.loadertuner.core.loader.ProcessLog;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.support.TransactionOperations;

/** The table {@code trial_log}: bytes, because what programs print need not be text. */
@Repository
class LogStore {
    private final JdbcClient database;
    private final TransactionOperations transaction;

    LogStore(JdbcClient database, TransactionOperations transaction) {
        this.database = database;
        this.transaction = transaction;
    }

    /** Puts it behind what the trial printed before; the trial must be there. */
    void append(String studyId, int trial, ProcessLog log) {
        transaction.executeWithoutResult(status -> {
            Optional<ProcessLog> before = find(studyId, trial);
            ProcessLog whole = before.orElse(ProcessLog.EMPTY).then(log);
            database.sql(before.isPresent() ? """
                            update trial_log set head = :head, left_out = :leftOut, tail = :tail
                            where study_id = :studyId and trial_number = :trial
                            """ : """
                            insert into trial_log (study_id, trial_number, head, left_out, tail)
                            values (:studyId, :trial, :head, :leftOut, :tail)
                            """)
                    .param("studyId", studyId)
                    .param("trial", trial)
                    .param("head", whole.head())
                    .param("leftOut", whole.leftOutBytes())
                    .param("tail", whole.tail())
                    .update();
        });
    }

    /** Empty where the trial printed nothing. */
    Optional<ProcessLog> find(String studyId, int trial) {
        return database.sql("""
                        select head, left_out, tail from trial_log
                        where study_id = :studyId and trial_number = :trial
                        """)
                .param("studyId", studyId)
                .param("trial", trial)
                .query((row, number) ->
                        ProcessLog.of(row.getBytes("head"), row.getLong("left_out"), row.getBytes("tail")))
                .optional();
    }
}
