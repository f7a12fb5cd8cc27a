package io.loadertuner.service.study;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.tuning.FailureRecord;
import io.loadertuner.core.tuning.RoundRecord;
import io.loadertuner.core.tuning.TrialRecord;
import io.loadertuner.service.store.JsonText;
import io.loadertuner.service.study.StudyEvent.Kind;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.support.TransactionOperations;

/** The table {@code trial}. */
@Repository
class TrialStore {
    private static final String PENDING =
            "select 1 from retry where state in ('queued', 'running') and retry.study_id = ";

    private final JdbcClient database;
    private final RoundStore rounds;
    private final EventStore events;
    private final TransactionOperations transaction;

    TrialStore(JdbcClient database, RoundStore rounds, EventStore events, TransactionOperations transaction) {
        this.database = database;
        this.rounds = rounds;
        this.events = events;
        this.transaction = transaction;
    }

    /** Every trial of a study with its rounds, in the order of their numbers. */
    List<TrialRecord> all(String studyId) {
        return after(studyId, 0, Integer.MAX_VALUE);
    }

    Optional<TrialRecord> find(String studyId, int number) {
        return after(studyId, number - 1, 1).stream()
                .filter(trial -> trial.number() == number)
                .findFirst();
    }

    /** At most {@code limit} trials with numbers above {@code number}, in the order of their numbers. */
    List<TrialRecord> after(String studyId, int number, int limit) {
        List<Row> rows = database.sql("""
                        select number, config, open_attempts, failure from trial
                        where study_id = :studyId and number > :number
                        order by number limit :limit
                        """)
                .param("studyId", studyId)
                .param("number", number)
                .param("limit", limit)
                .query((row, index) -> new Row(
                        row.getInt("number"),
                        row.getString("config"),
                        row.getInt("open_attempts"),
                        row.getString("failure")))
                .list();
        if (rows.isEmpty()) {
            return List.of();
        }
        Map<Integer, List<RoundRecord>> measured = rounds.ofTrials(
                studyId, rows.get(0).number(), rows.get(rows.size() - 1).number());
        return rows.stream()
                .map(row -> row.trial(measured.getOrDefault(row.number(), List.of())))
                .toList();
    }

    /** When the batches of each round of a trial arrived, in the order of its rounds: microseconds since {@code iter()}. */
    List<List<Long>> arrivals(String studyId, int number) {
        return rounds.arrivals(studyId, number);
    }

    private record Row(
            int number,
            String config,
            int openAttempts,
            @Nullable String failure) {
        TrialRecord trial(List<RoundRecord> measured) {
            return new TrialRecord(
                    number,
                    JsonText.read(config, LoaderConfig.class),
                    openAttempts,
                    measured,
                    failure == null ? null : JsonText.read(failure, FailureRecord.class));
        }
    }

    /** A round is about to be measured; the trial is new if its number is. */
    void begun(String studyId, int number, LoaderConfig config) {
        transaction.executeWithoutResult(status -> {
            int known = database.sql("""
                            update trial set open_attempts = open_attempts + 1
                            where study_id = :studyId and number = :number
                            """)
                    .param("studyId", studyId)
                    .param("number", number)
                    .update();
            if (known == 0) {
                database.sql("""
                                insert into trial (study_id, number, config, open_attempts)
                                values (:studyId, :number, :config, 1)
                                """)
                        .param("studyId", studyId)
                        .param("number", number)
                        .param("config", JsonText.of(config))
                        .update();
                events.add(studyId, Kind.TRIAL_STARTED, number);
            }
        });
    }

    /** Stores a round; whether it is the trial's first. */
    boolean measured(String studyId, int number, RoundRecord round, List<Long> arrivalsMicros) {
        return Boolean.TRUE.equals(transaction.execute(status -> {
            boolean first = rounds.add(studyId, number, round, arrivalsMicros) == 1;
            events.add(studyId, first ? Kind.TRIAL_FINISHED : Kind.TRIAL_SHARPENED, number);
            database.sql("update trial set open_attempts = 0 where study_id = :studyId and number = :number")
                    .param("studyId", studyId)
                    .param("number", number)
                    .update();
            return first;
        }));
    }

    void failed(String studyId, int number, FailureRecord failure) {
        transaction.executeWithoutResult(status -> {
            database.sql("""
                            update trial set open_attempts = 0, failure = :failure
                            where study_id = :studyId and number = :number
                            """)
                    .param("failure", JsonText.of(failure))
                    .param("studyId", studyId)
                    .param("number", number)
                    .update();
            events.add(studyId, Kind.TRIAL_FINISHED, number);
        });
    }

    /** No round of the study will be measured any more: what was begun and showed nothing was not tried. */
    void settle(String studyId) {
        database.sql("""
                        delete from trial
                        where study_id = :studyId and failure is null
                          and not exists (select 1 from round
                                          where round.study_id = trial.study_id and trial_number = trial.number)
                        """).param("studyId", studyId).update();
        database.sql("update trial set open_attempts = 0 where study_id = :studyId")
                .param("studyId", studyId)
                .update();
    }

    /** Forgets when the batches of a study arrived. */
    void forgetArrivals(String studyId) {
        transaction.executeWithoutResult(status -> {
            rounds.forgetArrivals(studyId);
            database.sql("update study set batch_times = false where id = :studyId")
                    .param("studyId", studyId)
                    .update();
        });
    }

    /** Deletes the trials of a study, with all that belongs to them, but those that are to be tried again; how many. */
    int delete(String studyId) {
        return Objects.requireNonNull(transaction.execute(status -> {
            database.sql("delete from round where study_id = :studyId and not exists (" + PENDING
                            + "round.study_id and retry.trial_number = round.trial_number)")
                    .param("studyId", studyId)
                    .update();
            return database.sql("delete from trial where study_id = :studyId and not exists (" + PENDING
                            + "trial.study_id and retry.trial_number = trial.number)")
                    .param("studyId", studyId)
                    .update();
        }));
    }

    /** Takes back {@link #begun}. */
    void abandoned(String studyId, int number) {
        transaction.executeWithoutResult(status -> {
            database.sql("""
                            update trial set open_attempts = open_attempts - 1
                            where study_id = :studyId and number = :number
                            """).param("studyId", studyId).param("number", number).update();
            database.sql("""
                            delete from trial
                            where study_id = :studyId and number = :number and open_attempts = 0 and failure is null
                              and not exists (select 1 from round
                                              where round.study_id = trial.study_id and trial_number = trial.number)
                            """).param("studyId", studyId).param("number", number).update();
        });
    }
}
