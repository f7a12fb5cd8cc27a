package io.loadertuner.service.study;

import io.loadertuner.service.store.JsonText;
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
        add(studyId, kind, trial, null);
    }

    /**
     * The same of the study.
     *
     * @param detail what it tells, as JSON
     */
    void add(String studyId, StudyEvent.Kind kind, Object detail) {
        add(studyId, kind, null, JsonText.of(detail));
    }

    private void add(String studyId, StudyEvent.Kind kind, @Nullable Integer trial, @Nullable String detail) {
        database.sql("""
                        insert into study_event (study_id, kind, trial_number, detail)
                        values (:studyId, :kind, :trial, :detail)
                        """)
                .param("studyId", studyId)
                .param("kind", kind.code())
                .param("trial", trial, Types.INTEGER)
                .param("detail", detail, Types.VARCHAR)
                .update();
    }

    /** At most {@code limit} of a study's events with ids above {@code id}, in their order. */
    List<StudyEvent> after(String studyId, long id, int limit) {
        return database.sql("""
                        select id, kind, trial_number, detail from study_event
                        where study_id = :studyId and id > :id
                        order by id limit :limit
                        """)
                .param("studyId", studyId)
                .param("id", id)
                .param("limit", limit)
                .query((row, number) -> new StudyEvent(
                        row.getLong("id"),
                        StudyEvent.Kind.of(row.getString("kind")),
                        row.getObject("trial_number", Integer.class),
                        row.getString("detail")))
                .list();
    }
}
