package io.loadertuner.service.recommendation;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.service.store.JsonText;
import io.loadertuner.service.store.KnowledgeChanged;
import io.loadertuner.service.study.RecommendationLog;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table {@code recommendation}. */
@Repository
class RecommendationStore implements RecommendationLog {
    private static final Logger log = LoggerFactory.getLogger(RecommendationStore.class);
    private static final int MOST_EARLIER_STUDIES = 20;
    private static final int MOST_WARM_STARTS = 3;
    private static final int MOST_TO_CHOOSE_FROM = 50;
    private static final String SELECT = """
            select recommendation.id, study_id, recommendation.version, recommendation.machine_type, ranks, device,
                   torch, recommended, baseline, measured_at, confirmed_at, drifted_at, request
            from recommendation join study on study.id = study_id
            """;

    private static final String WITH_TORCH = """
              and (cast(:torch as varchar(64)) is null or recommendation.torch is null or recommendation.torch = :torch)
            """;

    private final JdbcClient database;
    private final ApplicationEventPublisher events;

    RecommendationStore(JdbcClient database, ApplicationEventPublisher events) {
        this.database = database;
        this.events = events;
    }

    @Override
    public Added add(StudyReport completed, Instant now) {
        StudyReport.Recommended recommended = completed.recommendation();
        if (recommended == null) {
            throw new IllegalArgumentException("study " + completed.id() + " recommends nothing");
        }
        Change change = change(completed.id(), recommended.config()).orElse(null);
        LoaderFacts facts = completed.facts();
        String id = UUID.randomUUID().toString();
        database.sql("""
            insert into recommendation (id, dataset, version, loader, machine_type, device, torch,
                                        fingerprint, study_id, recommended, baseline, measured_at)
            values (:id, :dataset, :version, :loader, :machineType, :device, :torch,
                    :fingerprint, :studyId, :recommended, :baseline, :measuredAt)
            """)
                .param("id", id)
                .param("dataset", completed.dataset())
                .param("version", completed.version())
                .param("loader", completed.loader())
                .param("machineType", completed.machineType())
                .param("device", completed.device())
                .param("torch", facts == null ? null : facts.torch(), Types.VARCHAR)
                .param("fingerprint", fingerprint(completed.id()))
                .param("studyId", completed.id())
                .param("recommended", JsonText.of(recommended))
                .param("baseline", completed.baseline() == null ? null : JsonText.of(completed.baseline()))
                .param("measuredAt", now.atOffset(ZoneOffset.UTC))
                .update();
        events.publishEvent(new RecommendationMade(change != null));
        return new Added(id, change);
    }

    /** What the newest recommendation for the same dataset, loader, machine type and ranks is changed to; empty if it stays. */
    private Optional<Change> change(String studyId, LoaderConfig to) {
        return database.sql("""
                    select recommended, study_id from recommendation
                    join study as before on before.id = study_id
                    join study as this_one on this_one.id = :studyId
                     and recommendation.dataset = this_one.dataset and recommendation.loader = this_one.loader
                     and recommendation.machine_type = this_one.machine_type and before.ranks = this_one.ranks
                    order by recommendation.made desc limit 1
                    """)
                .param("studyId", studyId)
                .query((row, number) -> new Change(
                        JsonText.read(row.getString("recommended"), StudyReport.Recommended.class)
                                .config(),
                        to,
                        row.getString("study_id")))
                .optional()
                .filter(change -> !change.from().equals(to));
    }

    /** The newest for that dataset, in whatever version. */
    Optional<Incumbent> incumbent(DatasetDescriptor descriptor, String machineType) {
        return database.sql("""
                        select recommendation.id, study_id, recommended, baseline, fingerprint, request, report, measured_at
                        from recommendation join study on study.id = study_id
                        where recommendation.dataset = :dataset and recommendation.loader = :loader
                          and recommendation.machine_type = :machineType and ranks = :ranks
                        order by made desc limit 1
                        """)
                .param("dataset", descriptor.name())
                .param("loader", descriptor.loader())
                .param("machineType", machineType)
                .param("ranks", descriptor.ranks())
                .query(RecommendationStore::incumbent)
                .optional();
    }

    private static Incumbent incumbent(ResultSet row, int number) throws SQLException {
        String baseline = row.getString("baseline");
        String fingerprint = row.getString("fingerprint");
        return new Incumbent(
                row.getString("id"),
                row.getString("study_id"),
                JsonText.read(row.getString("recommended"), StudyReport.Recommended.class),
                baseline == null ? null : JsonText.read(baseline, StudyReport.Baseline.class),
                fingerprint == null
                        ? Fingerprint.of(JsonText.read(row.getString("request"), StudyRequest.class)
                                .descriptor())
                        : fingerprint,
                JsonText.read(row.getString("report"), StudyReport.class).facts(),
                row.getObject("measured_at", OffsetDateTime.class).toInstant());
    }

    /** It loads as it did when it was measured. */
    void confirmed(String id, Instant now) {
        mark(id, "confirmed_at = :now, drifted_at = null", now);
    }

    /** It does not load any more as it did when it was measured. */
    void drifted(String id, Instant now) {
        mark(id, "drifted_at = :now", now);
    }

    private void mark(String id, String assignment, Instant now) {
        database.sql("update recommendation set " + assignment + " where id = :id")
                .param("now", now.atOffset(ZoneOffset.UTC))
                .param("id", id)
                .update();
        events.publishEvent(new KnowledgeChanged());
    }

    private String fingerprint(String studyId) {
        return database.sql("select request from study where id = :id")
                .param("id", studyId)
                .query((row, number) -> Fingerprint.of(JsonText.read(row.getString("request"), StudyRequest.class)
                        .descriptor()))
                .single();
    }

    @Override
    public List<LoaderConfig> recommended(DatasetDescriptor descriptor, String machineType) {
        return database
                .sql("""
                    select recommended from recommendation join study on study.id = study_id
                    where recommendation.dataset = :dataset and recommendation.loader = :loader
                    order by case when recommendation.machine_type = :machineType then 0 else 1 end,
                             case when ranks = :ranks then 0 else 1 end, made desc
                    limit :most
                    """)
                .param("dataset", descriptor.name())
                .param("loader", descriptor.loader())
                .param("machineType", machineType)
                .param("ranks", descriptor.ranks())
                .param("most", MOST_EARLIER_STUDIES)
                .query((row, number) -> row.getString("recommended"))
                .list()
                .stream()
                .flatMap(stored -> readable(stored).stream())
                .distinct()
                .limit(MOST_WARM_STARTS)
                .toList();
    }

    /** A warm start is a help; one that cannot be read is no reason not to tune. */
    private static Optional<LoaderConfig> readable(String stored) {
        try {
            return Optional.of(
                    JsonText.read(stored, StudyReport.Recommended.class).config());
        } catch (RuntimeException unreadable) {
            log.warn("A stored recommendation cannot be read, and no study starts from it", unreadable);
            return Optional.empty();
        }
    }

    /**
     * The newest.
     *
     * @param torch that it may have been measured with; null for any
     */
    Optional<StoredRecommendation> newest(
            String dataset, String version, String loader, String machineType, int ranks, @Nullable String torch) {
        return database.sql(SELECT + """
            where recommendation.dataset = :dataset and recommendation.version = :version
              and recommendation.loader = :loader and recommendation.machine_type = :machineType
              and ranks = :ranks
            """ + WITH_TORCH + "order by made desc limit 1")
                .param("torch", torch, Types.VARCHAR)
                .param("dataset", dataset)
                .param("version", version)
                .param("loader", loader)
                .param("machineType", machineType)
                .param("ranks", ranks)
                .query(RecommendationStore::row)
                .optional();
    }

    /** The newest of the descriptor with that fingerprint. */
    Optional<StoredRecommendation> newest(String fingerprint, String machineType, @Nullable String torch) {
        return database.sql(SELECT + """
            where fingerprint = :fingerprint and recommendation.machine_type = :machineType
            """ + WITH_TORCH + "order by made desc limit 1")
                .param("torch", torch, Types.VARCHAR)
                .param("fingerprint", fingerprint)
                .param("machineType", machineType)
                .query(RecommendationStore::row)
                .optional();
    }

    /** The newest of each version, machine type and number of ranks; the newest of these first. */
    List<StoredRecommendation> newestOfEach(String dataset, String loader) {
        return database
                .sql(SELECT + """
            join (select max(recommendation.made) as newest
                  from recommendation join study on study.id = study_id
                  where recommendation.dataset = :dataset and recommendation.loader = :loader
                  group by recommendation.version, recommendation.machine_type, ranks) as each_one
              on recommendation.made = newest
            order by made desc limit :most
            """)
                .param("dataset", dataset)
                .param("loader", loader)
                .param("most", MOST_TO_CHOOSE_FROM)
                .query((row, number) -> readable(row, number))
                .list()
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    /** What a current recommendation is for. */
    record Subject(String dataset, String machineType) {}

    /** How fast the newest of each dataset and machine type was; at most so many, the newest first. */
    Map<Subject, Throughput> current(int most) {
        Map<Subject, Throughput> current = new LinkedHashMap<>();
        database.sql("""
            select dataset, machine_type, recommended from recommendation
            join (select max(made) as newest from recommendation group by dataset, machine_type) as each_one
              on made = newest
            order by made desc limit :most
            """).param("most", most).query(row -> {
            current.put(
                    new Subject(row.getString("dataset"), row.getString("machine_type")),
                    JsonText.read(row.getString("recommended"), StudyReport.Recommended.class)
                            .throughput());
        });
        return current;
    }

    private static Optional<StoredRecommendation> readable(ResultSet row, int number) throws SQLException {
        try {
            return Optional.of(row(row, number));
        } catch (RuntimeException unreadable) {
            log.warn("A stored recommendation cannot be read, and nothing is taken from it", unreadable);
            return Optional.empty();
        }
    }

    private static StoredRecommendation row(ResultSet row, int number) throws SQLException {
        String baseline = row.getString("baseline");
        return new StoredRecommendation(
                row.getString("id"),
                row.getString("study_id"),
                row.getString("version"),
                row.getString("machine_type"),
                row.getInt("ranks"),
                row.getString("device"),
                row.getString("torch"),
                JsonText.read(row.getString("recommended"), StudyReport.Recommended.class),
                baseline == null ? null : JsonText.read(baseline, StudyReport.Baseline.class),
                row.getObject("measured_at", OffsetDateTime.class).toInstant(),
                instant(row, "confirmed_at"),
                instant(row, "drifted_at"),
                row.getString("request"));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
