package io.loadertuner.service.study;

import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.tuning.Preparation;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.core.tuning.StudyState;
import io.loadertuner.service.replica.LeaseLostException;
import io.loadertuner.service.replica.Replica;
import io.loadertuner.service.store.JsonText;
import io.loadertuner.service.store.KnowledgeChanged;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.node.ObjectNode;

/** The table {@code study}. */
@Repository
public class StudyStore {
    private static final String SELECT =
            "select id, posted, state, dataset, machine_type, request, report, created_at, progress_at, ended_at"
                    + " from study ";

    private static final String FREE = Replica.isFree("study");

    private final JdbcClient database;
    private final ApplicationEventPublisher events;
    private final String self;

    StudyStore(JdbcClient database, ApplicationEventPublisher events, Replica self) {
        this.database = database;
        this.events = events;
        this.self = self.id();
    }

    /**
     * @param idempotencyKey null where it was posted without one
     * @param askedBy null where nobody had to say who they are
     * @throws DuplicateKeyException if a study with that key is there
     */
    void add(
            StudyRequest admitted,
            StudyReport queued,
            @Nullable String idempotencyKey,
            @Nullable String askedBy,
            Instant now) {
        database.sql("""
            insert into study (id, state, dataset, version, loader, machine_type, ranks, request, idempotency_key,
                               asked_by, report, created_at)
            values (:id, :state, :dataset, :version, :loader, :machineType, :ranks, :request,
                    :idempotencyKey, :askedBy, :report, :now)
            """)
                .param("id", queued.id())
                .param("state", column(queued.state()))
                .param("dataset", queued.dataset())
                .param("version", queued.version())
                .param("loader", queued.loader())
                .param("machineType", queued.machineType())
                .param("ranks", admitted.descriptor().ranks())
                .param("request", JsonText.of(admitted))
                .param("idempotencyKey", idempotencyKey, Types.VARCHAR)
                .param("askedBy", askedBy, Types.VARCHAR)
                .param("report", JsonText.of(queued))
                .param("now", column(now))
                .update();
        events.publishEvent(new KnowledgeChanged());
    }

    Optional<StoredStudy> find(String id) {
        return database.sql(SELECT + "where id = :id")
                .param("id", id)
                .query(StudyStore::row)
                .optional();
    }

    Optional<StoredStudy> postedWith(String idempotencyKey) {
        return database.sql(SELECT + "where idempotency_key = :idempotencyKey")
                .param("idempotencyKey", idempotencyKey)
                .query(StudyStore::row)
                .optional();
    }

    /**
     * Newest first.
     *
     * @param before only studies posted before this place; null begins with the newest
     */
    List<StoredStudy> list(StudyFilter filter, @Nullable Long before, int limit) {
        StringBuilder conditions = new StringBuilder("where 1 = 1");
        Map<String, Object> values = new LinkedHashMap<>();
        if (filter.dataset() != null) {
            conditions.append(" and dataset = :dataset");
            values.put("dataset", filter.dataset());
        }
        if (filter.machineType() != null) {
            conditions.append(" and machine_type = :machineType");
            values.put("machineType", filter.machineType());
        }
        if (filter.state() != null) {
            conditions.append(" and state = :state");
            values.put("state", column(filter.state()));
        }
        if (before != null) {
            conditions.append(" and posted < :before");
            values.put("before", before);
        }
        return database.sql(SELECT + conditions + " order by posted desc limit :limit")
                .params(values)
                .param("limit", limit)
                .query(StudyStore::row)
                .list();
    }

    /**
     * The study whose turn it is on machines of that type, of those that no other service runs: one that was cut off, else the
     * one posted first.
     */
    Optional<StoredStudy> next(String machineType) {
        return database.sql(SELECT + "where state in ('running', 'queued') and machine_type = :machineType and " + FREE
                        + """
            order by case when state = 'running' then 0 else 1 end, posted
            limit 1
            """)
                .param("machineType", machineType)
                .param("self", self)
                .query(StudyStore::row)
                .optional();
    }

    /** Makes this service the one that runs it; false if it is over, or another does. */
    boolean claim(String id) {
        return database.sql("update study set runner = :self where id = :id and state in ('running', 'queued') and "
                                + FREE)
                        .param("self", self)
                        .param("id", id)
                        .update()
                == 1;
    }

    /**
     * To be called first in a transaction that stores what was measured: until its end no other service takes the study over.
     *
     * @throws LeaseLostException if another has, or it is over
     */
    void requireHeld(String id) {
        lock(id, "state in ('running', 'queued') and runner = :self");
    }

    /**
     * To be called first in a transaction that ends a study: until its end no service begins to run it.
     *
     * @throws LeaseLostException if another one that lives runs it, or it is over
     */
    void requireFree(String id) {
        lock(id, "state in ('running', 'queued') and " + FREE);
    }

    private void lock(String id, String condition) {
        boolean locked = database.sql("select id from study where id = :id and " + condition + " for update")
                .param("id", id)
                .param("self", self)
                .query(String.class)
                .optional()
                .isPresent();
        if (!locked) {
            throw new LeaseLostException("study " + id + " is over, or another service runs it");
        }
    }

    /** Whoever runs it, or comes to, is to cancel it. */
    void askToCancel(String id) {
        database.sql("update study set cancel_asked = true where id = :id")
                .param("id", id)
                .update();
    }

    /** Whether somebody asked another service to cancel it. */
    boolean isCancelAsked(String id) {
        return holds(id, "cancel_asked");
    }

    /** Whether this service is still the one that runs it. */
    boolean isHeld(String id) {
        return holds(id, "runner = :self");
    }

    private boolean holds(String id, String condition) {
        return database.sql("select count(*) from study where id = :id and " + condition)
                        .param("id", id)
                        .param("self", self)
                        .query(Integer.class)
                        .single()
                == 1;
    }

    /** The state of the study of that dataset that is queued or running; running before queued. */
    public Optional<StudyState> underWay(String dataset, String version, String loader, String machineType, int ranks) {
        return database.sql("""
            select state from study
            where state in ('running', 'queued') and dataset = :dataset and version = :version
              and loader = :loader and machine_type = :machineType and ranks = :ranks
            order by case when state = 'running' then 0 else 1 end
            limit 1
            """)
                .param("dataset", dataset)
                .param("version", version)
                .param("loader", loader)
                .param("machineType", machineType)
                .param("ranks", ranks)
                .query((row, number) -> state(row.getString("state")))
                .optional();
    }

    /** Studies that ended before then and of which it is still known when batches arrived. */
    List<String> withBatchTimes(Instant endedBefore) {
        return ids("select id from study where batch_times and ended_at < :before order by posted", endedBefore);
    }

    /** Studies that ended before then and still have trials. */
    List<String> withTrials(Instant endedBefore) {
        return ids("""
                select id from study where ended_at < :before and exists (select 1 from trial where study_id = study.id)
                order by posted
                """, endedBefore);
    }

    private List<String> ids(String sql, Instant before) {
        return database.sql(sql)
                .param("before", column(before))
                .query(String.class)
                .list();
    }

    int queued() {
        return database.sql("select count(*) from study where state = 'queued'")
                .query(Integer.class)
                .single();
    }

    /** When the study was posted that was posted first of those that wait. */
    Optional<Instant> oldestQueued() {
        return database.sql("select created_at from study where state = 'queued' order by posted limit 1")
                .query((row, number) ->
                        row.getObject("created_at", OffsetDateTime.class).toInstant())
                .optional();
    }

    /** Makes a study that is not over a running one, whose time goes on from now; false if it is over. */
    boolean begin(String id, Instant now) {
        boolean begun = database.sql("""
            update study set state = 'running', progress_at = :now
            where id = :id and state in ('queued', 'running') and runner = :self
            """)
                        .param("now", column(now))
                        .param("id", id)
                        .param("self", self)
                        .update()
                == 1;
        events.publishEvent(new KnowledgeChanged());
        return begun;
    }

    /** Nobody measures the study for now: its time stands still. */
    void rest(String id) {
        database.sql("update study set progress_at = null where id = :id and runner = :self")
                .param("id", id)
                .param("self", self)
                .update();
    }

    /** As {@link #rest}; and any service may go on with it. */
    void handBack(String id) {
        database.sql("update study set progress_at = null, runner = null where id = :id and runner = :self")
                .param("id", id)
                .param("self", self)
                .update();
    }

    /** Where the study is over, it ended {@code now}; else its time goes on from now. */
    void report(StudyReport report, Instant now) {
        boolean over = report.state().isOver();
        StudyReport.Recommended best = report.recommendation();
        Ratio speedup = best == null ? null : best.speedup();
        database.sql("""
            update study set state = :state, report = :report, progress_at = :progressAt, ended_at = :endedAt,
                             best_samples_per_second = :best, speedup = :speedup
            where id = :id
            """)
                .param("state", column(report.state()))
                .param("report", JsonText.of(report))
                .param("progressAt", over ? null : column(now), Types.TIMESTAMP_WITH_TIMEZONE)
                .param("endedAt", over ? column(now) : null, Types.TIMESTAMP_WITH_TIMEZONE)
                .param("best", best == null ? null : best.throughput().samplesPerSecond(), Types.DOUBLE)
                .param("speedup", speedup == null ? null : speedup.ratio(), Types.DOUBLE)
                .param("id", report.id())
                .update();
        events.publishEvent(new KnowledgeChanged());
    }

    /** Ends a study whose report cannot be read. */
    void end(String id, StudyState state, ObjectNode bareReport, Instant now) {
        database.sql("""
            update study set state = :state, report = :report, progress_at = null, ended_at = :now where id = :id
            """)
                .param("state", column(state))
                .param("report", JsonText.of(bareReport))
                .param("now", column(now))
                .param("id", id)
                .update();
        events.publishEvent(new KnowledgeChanged());
    }

    /** The studies that wait for a machine of another type, in the order of posting. */
    List<StoredStudy> elsewhere(String machineType) {
        return database.sql(SELECT + """
            where state in ('running', 'queued') and machine_type <> :machineType
            order by posted
            """)
                .param("machineType", machineType)
                .query(StudyStore::row)
                .list();
    }

    Optional<Preparation> preparation(String id) {
        return database.sql("select preparation from study where id = :id and preparation is not null")
                .param("id", id)
                .query((row, number) -> JsonText.read(row.getString("preparation"), Preparation.class))
                .optional();
    }

    void prepared(String id, Preparation preparation) {
        database.sql("update study set preparation = :preparation where id = :id")
                .param("preparation", JsonText.of(preparation))
                .param("id", id)
                .update();
    }

    private static StoredStudy row(ResultSet row, int number) throws SQLException {
        return new StoredStudy(
                row.getString("id"),
                row.getLong("posted"),
                state(row.getString("state")),
                row.getString("dataset"),
                row.getString("machine_type"),
                row.getString("request"),
                row.getString("report"),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                instant(row, "progress_at"),
                instant(row, "ended_at"));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static StudyState state(String column) {
        return StudyState.valueOf(column.toUpperCase(Locale.ROOT));
    }

    private static String column(StudyState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static OffsetDateTime column(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }
}
