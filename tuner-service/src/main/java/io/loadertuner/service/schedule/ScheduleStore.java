package io.loadertuner.service.schedule;

import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.service.store.JsonText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table {@code schedule}. */
@Repository
class ScheduleStore {
    private static final String SELECT = "select id, made, request, cron, time_zone, jitter_seconds, canary_seconds,"
            + " enabled, created_at, changed_at from schedule ";

    private final JdbcClient database;

    ScheduleStore(JdbcClient database) {
        this.database = database;
    }

    /** @throws DuplicateKeyException if there is one of the same dataset, loader, machine type and ranks */
    void add(String id, ScheduleRequest asked, Instant now) {
        fields(database.sql("""
                        insert into schedule (id, dataset, loader, machine_type, ranks, request, cron, time_zone,
                                              jitter_seconds, canary_seconds, enabled, created_at, changed_at)
                        values (:id, :dataset, :loader, :machineType, :ranks, :request, :cron, :timeZone,
                                :jitterSeconds, :canarySeconds, :enabled, :now, :now)
                        """), id, asked, now).update();
    }

    /**
     * Whether it was there.
     *
     * @throws DuplicateKeyException if there is another of the same dataset, loader, machine type and ranks
     */
    boolean change(String id, ScheduleRequest asked, Instant now) {
        return fields(database.sql("""
                                update schedule set dataset = :dataset, loader = :loader, machine_type = :machineType,
                                    ranks = :ranks, request = :request, cron = :cron, time_zone = :timeZone,
                                    jitter_seconds = :jitterSeconds, canary_seconds = :canarySeconds,
                                    enabled = :enabled, changed_at = :now
                                where id = :id
                                """), id, asked, now).update() == 1;
    }

    private static JdbcClient.StatementSpec fields(
            JdbcClient.StatementSpec statement, String id, ScheduleRequest asked, Instant now) {
        StudyRequest study = asked.study();
        Timetable timetable = asked.timetable();
        return statement
                .param("id", id)
                .param("dataset", study.name())
                .param("loader", study.descriptor().loader())
                .param("machineType", study.machineType())
                .param("ranks", study.descriptor().ranks())
                .param("request", JsonText.of(study))
                .param("cron", timetable.cron())
                .param("timeZone", timetable.timeZone())
                .param("jitterSeconds", timetable.jitterSeconds())
                .param("canarySeconds", asked.canaryLength())
                .param("enabled", asked.isEnabled())
                .param("now", now.atOffset(ZoneOffset.UTC));
    }

    /** Whether it was there. */
    boolean delete(String id) {
        return database.sql("delete from schedule where id = :id")
                        .param("id", id)
                        .update()
                == 1;
    }

    Optional<Schedule> find(String id) {
        return database.sql(SELECT + "where id = :id")
                .param("id", id)
                .query(ScheduleStore::row)
                .optional();
    }

    /** The same; until the end of the transaction nobody changes or deletes it. */
    Optional<Schedule> hold(String id) {
        return database.sql(SELECT + "where id = :id for update")
                .param("id", id)
                .query(ScheduleStore::row)
                .optional();
    }

    /**
     * The newest first.
     *
     * @param before only those made before this place; null begins with the newest
     */
    List<Schedule> list(@Nullable Long before, int limit) {
        return database.sql(SELECT + "where made < :before order by made desc limit :limit")
                .param("before", before == null ? Long.MAX_VALUE : before)
                .param("limit", limit)
                .query(ScheduleStore::row)
                .list();
    }

    private static Schedule row(ResultSet row, int number) throws SQLException {
        return new Schedule(
                row.getString("id"),
                row.getLong("made"),
                JsonText.read(row.getString("request"), StudyRequest.class),
                new Timetable(row.getString("cron"), row.getString("time_zone"), row.getInt("jitter_seconds")),
                row.getInt("canary_seconds"),
                row.getBoolean("enabled"),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                row.getObject("changed_at", OffsetDateTime.class).toInstant());
    }
}
