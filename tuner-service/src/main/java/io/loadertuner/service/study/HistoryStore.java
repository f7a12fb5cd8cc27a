package io.loadertuner.service.study;

import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.service.store.LikePattern;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table {@code study} as people look through it; nothing here changes it. */
@Repository
class HistoryStore {
    private static final String SELECT =
            "select id, posted, state, dataset, machine_type, asked_by, request, report, created_at, progress_at, ended_at"
                    + " from study ";

    private final JdbcClient database;

    HistoryStore(JdbcClient database) {
        this.database = database;
    }

    /** The studies of one page, and no reports of any others are read for it. */
    List<ShownStudy> list(HistoryQuery query, Instant now) {
        Map<String, Object> values = new HashMap<>();
        String where = where(query, values);
        String order = " order by " + query.order().columns();
        List<String> ids = database.sql("select id from study " + where + order + " limit :limit offset :offset")
                .params(values)
                .param("limit", HistoryQuery.PAGE_SIZE)
                .param("offset", (query.page() - 1L) * HistoryQuery.PAGE_SIZE)
                .query(String.class)
                .list();
        return ids.isEmpty()
                ? List.of()
                : database.sql(SELECT + "where id in (:ids)" + order)
                        .param("ids", ids)
                        .query((row, number) -> row(row, now))
                        .list();
    }

    int count(HistoryQuery query) {
        Map<String, Object> values = new HashMap<>();
        return database.sql("select count(*) from study " + where(query, values))
                .params(values)
                .query(Integer.class)
                .single();
    }

    Optional<ShownStudy> find(String id, Instant now) {
        return database.sql(SELECT + "where id = :id")
                .param("id", id)
                .query((row, number) -> row(row, now))
                .optional();
    }

    private static String where(HistoryQuery query, Map<String, Object> values) {
        StringBuilder where = new StringBuilder("where 1 = 1");
        if (query.state() != null) {
            where.append(" and state = :state");
            values.put("state", query.state().name().toLowerCase(Locale.ROOT));
        }
        if (!query.text().isEmpty()) {
            where.append("""
                     and (lower(dataset) like :text escape '!' or lower(version) like :text escape '!'
                          or lower(machine_type) like :text escape '!' or lower(asked_by) like :text escape '!')
                    """);
            values.put("text", LikePattern.containing(query.text()));
        }
        return where.toString();
    }

    private static ShownStudy row(ResultSet row, Instant now) throws SQLException {
        StudyState state = StudyState.valueOf(row.getString("state").toUpperCase(Locale.ROOT));
        StoredStudy stored = new StoredStudy(
                row.getString("id"),
                row.getLong("posted"),
                state,
                row.getString("dataset"),
                row.getString("machine_type"),
                row.getString("request"),
                row.getString("report"),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                instant(row, "progress_at"),
                instant(row, "ended_at"));
        return new ShownStudy(
                stored.id(),
                state,
                stored.dataset(),
                stored.machineType(),
                row.getString("asked_by"),
                report(stored, now),
                stored.requestJson(),
                stored.createdAt(),
                stored.endedAt());
    }

    private static Optional<StudyReport> report(StoredStudy stored, Instant now) {
        try {
            return Optional.of(stored.reportAt(now));
        } catch (RuntimeException unreadable) {
            return Optional.empty();
        }
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
