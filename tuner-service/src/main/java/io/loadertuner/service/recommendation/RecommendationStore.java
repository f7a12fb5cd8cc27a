package io.loadertuner.service.recommendation;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.service.store.JsonText;
import io.loadertuner.service.study.RecommendationLog;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
                   recommended, baseline, measured_at
            from recommendation join study on study.id = study_id
            """;

    private final JdbcClient database;

    RecommendationStore(JdbcClient database) {
        this.database = database;
    }

    @Override
    public String add(StudyReport completed, Instant now) {
        StudyReport.Recommended recommended = completed.recommendation();
        if (recommended == null) {
            throw new IllegalArgumentException("study " + completed.id() + " recommends nothing");
        }
        String id = UUID.randomUUID().toString();
        database.sql("""
            insert into recommendation (id, dataset, version, loader, machine_type, device, study_id,
                                        recommended, baseline, measured_at)
            values (:id, :dataset, :version, :loader, :machineType, :device, :studyId,
                    :recommended, :baseline, :measuredAt)
            """)
                .param("id", id)
                .param("dataset", completed.dataset())
                .param("version", completed.version())
                .param("loader", completed.loader())
                .param("machineType", completed.machineType())
                .param("device", completed.device())
                .param("studyId", completed.id())
                .param("recommended", JsonText.of(recommended))
                .param("baseline", completed.baseline() == null ? null : JsonText.of(completed.baseline()))
                .param("measuredAt", now.atOffset(ZoneOffset.UTC))
                .update();
        return id;
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

    Optional<StoredRecommendation> newest(
            String dataset, String version, String loader, String machineType, int ranks) {
        return database.sql(SELECT + """
            where recommendation.dataset = :dataset and recommendation.version = :version
              and recommendation.loader = :loader and recommendation.machine_type = :machineType
              and ranks = :ranks
            order by made desc limit 1
            """)
                .param("dataset", dataset)
                .param("version", version)
                .param("loader", loader)
                .param("machineType", machineType)
                .param("ranks", ranks)
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
                JsonText.read(row.getString("recommended"), StudyReport.Recommended.class),
                baseline == null ? null : JsonText.read(baseline, StudyReport.Baseline.class),
                row.getObject("measured_at", OffsetDateTime.class).toInstant());
    }
}
