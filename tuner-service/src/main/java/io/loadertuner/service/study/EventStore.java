package io.loadertuner.service.study;

import java.sql.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table {@code study_event}. */
@Repository
class EventStore {
    private final JdbcClient database;

    EventStore(JdbcClient database) {
        this.database = database;
    }

    /** To be called in the transaction that makes it true. */
    void add(String studyId, StudyEvent.Kind kind, @Nullable Integer trial) {
        database.sql("insert into study_event (study_id, kind, trial_number) values (:studyId, :kind, :trial)")
                .param("studyId", studyId)
                .param("kind", kind.code())
                .param("trial", trial, Types.INTEGER)
                .update();
    }

    /** At most {@code limit} of a study's events with ids above {@code id}, in their order. */
    List<StudyEvent> after(String studyId, long id, int limit) {
        return database.sql("""
                        select id, kind, trial_number from study_event
                        where study_id = :studyId and id > :id
                        order by id limit :limit
                        """)
                .param("studyId", studyId)
                .param("id", id)
                .param("limit", limit)
                .query((row, number) -> new StudyEvent(
                        row.getLong("id"),
                        StudyEvent.Kind.of(row.getString("kind")),
                        row.getObject("trial_number", Integer.class)))
                .list();
    }
}
