package io.loadertuner.service.schedule;

import io.loadertuner.core.measure.Visit;
import io.loadertuner.service.replica.LeaseLostException;
import io.loadertuner.service.replica.Replica;
import io.loadertuner.service.schedule.ScheduleRun.State;
import io.loadertuner.service.store.JsonText;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table {@code schedule_run}. */
@Repository
class ScheduleRunStore {
    private static final String SELECT = "select schedule_run.run, schedule_run.schedule_id, schedule_run.due_at,"
            + " schedule_run.state, schedule_run.open_attempts, schedule_run.outcome, schedule_run.report, schedule_run.study_id,"
            + " schedule_run.ended_at from schedule_run ";

    private static final String FREE = Replica.isFree("schedule_run");

    private static final int MOST_VISITS = 20;

    private final JdbcClient database;
    private final String self;

    ScheduleRunStore(JdbcClient database, Replica self) {
        this.database = database;
        this.self = self.id();
    }

    /** Queues a run, unless one of that time is there, or one of the schedule is not over; whether it did. */
    boolean add(String scheduleId, Instant dueAt) {
        return database.sql("""
                                insert into schedule_run (schedule_id, due_at, state)
                                select id, :dueAt, 'queued' from schedule
                                where id = :scheduleId and not exists (
                                    select 1 from schedule_run
                                    where schedule_id = :scheduleId and (due_at = :dueAt or state <> 'done'))
                                """)
                        .param("scheduleId", scheduleId)
                        .param("dueAt", dueAt.atOffset(ZoneOffset.UTC))
                        .update()
                == 1;
    }

    /** The one whose turn it is on machines of that type, of those that no other service runs. */
    Optional<ScheduleRun> next(String machineType) {
        return database.sql(SELECT + """
                        join schedule on schedule.id = schedule_id
                        where schedule_run.state in ('running', 'queued') and schedule.machine_type = :machineType and
                        """ + FREE + "order by schedule_run.run limit 1")
                .param("machineType", machineType)
                .param("self", self)
                .query(ScheduleRunStore::row)
                .optional();
    }

    /** Makes this service the one that runs it; false if it is over, or another does. */
    boolean claim(ScheduleRun run) {
        return database.sql(
                                "update schedule_run set runner = :self, state = 'running', open_attempts = open_attempts + 1"
                                        + " where run = :run and state in ('running', 'queued') and " + FREE)
                        .param("self", self)
                        .param("run", run.run())
                        .update()
                == 1;
    }

    /** Any service may begin with it anew. */
    void handBack(ScheduleRun run) {
        database.sql("""
                        update schedule_run set runner = null, state = 'queued', open_attempts = open_attempts - 1
                        where run = :run and runner = :self
                        """).param("run", run.run()).param("self", self).update();
    }

    /** @throws LeaseLostException if another service runs it */
    void end(
            ScheduleRun run,
            Outcome outcome,
            RunReport report,
            @Nullable String recommendationId,
            @Nullable String studyId,
            Instant now) {
        int ended = database.sql("""
                        update schedule_run set state = 'done', outcome = :outcome, report = :report,
                            recommendation_id = :recommendationId, study_id = :studyId, ended_at = :now
                        where run = :run and runner = :self and state = 'running'
                        """)
                .param("outcome", outcome.code())
                .param("report", JsonText.of(report))
                .param("recommendationId", recommendationId, Types.VARCHAR)
                .param("studyId", studyId, Types.VARCHAR)
                .param("now", now.atOffset(ZoneOffset.UTC))
                .param("run", run.run())
                .param("self", self)
                .update();
        if (ended == 0) {
            throw new LeaseLostException("another service runs what was due at " + run.dueAt());
        }
    }

    /** The rates that quiet canaries saw of a recommendation, of many the newest. */
    List<Visit> visits(String recommendationId) {
        return database
                .sql("""
                        select report from schedule_run
                        where recommendation_id = :recommendationId and outcome = 'quiet'
                        order by run desc limit :most
                        """)
                .param("recommendationId", recommendationId)
                .param("most", MOST_VISITS)
                .query((row, number) -> JsonText.read(row.getString("report"), RunReport.class))
                .list()
                .stream()
                .flatMap(report -> Stream.ofNullable(report.rates()))
                .toList();
    }

    /** Those of a schedule, the newest first. */
    List<ScheduleRun> of(String scheduleId, @Nullable Long before, int limit) {
        return database.sql(SELECT + "where schedule_id = :scheduleId and run < :before order by run desc limit :limit")
                .param("scheduleId", scheduleId)
                .param("before", before == null ? Long.MAX_VALUE : before)
                .param("limit", limit)
                .query(ScheduleRunStore::row)
                .list();
    }

    /** What the newest canary of each of the newest schedules found, by dataset and machine type. */
    Map<Subject, RunReport> newestReports(int most) {
        Map<Subject, RunReport> reports = new LinkedHashMap<>();
        database.sql("""
                        select dataset, machine_type, report from schedule_run
                        join (select max(run) as newest from schedule_run
                              where outcome in ('quiet', 'drifted') group by schedule_id) as each_one on run = newest
                        join schedule on schedule.id = schedule_id
                        order by run desc limit :most
                        """).param("most", most).query(row -> {
            reports.putIfAbsent(
                    new Subject(row.getString("dataset"), row.getString("machine_type")),
                    JsonText.read(row.getString("report"), RunReport.class));
        });
        return reports;
    }

    /** What a schedule is for. */
    record Subject(String dataset, String machineType) {}

    private static ScheduleRun row(ResultSet row, int number) throws SQLException {
        String outcome = row.getString("outcome");
        String report = row.getString("report");
        OffsetDateTime ended = row.getObject("ended_at", OffsetDateTime.class);
        return new ScheduleRun(
                row.getLong("run"),
                row.getString("schedule_id"),
                row.getObject("due_at", OffsetDateTime.class).toInstant(),
                State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                row.getInt("open_attempts"),
                outcome == null ? null : Outcome.of(outcome),
                report == null ? null : JsonText.read(report, RunReport.class),
                row.getString("study_id"),
                ended == null ? null : ended.toInstant());
    }
}
