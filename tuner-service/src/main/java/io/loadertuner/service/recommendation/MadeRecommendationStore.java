package io.loadertuner.service.recommendation;

import io.loadertuner.core.tuning.StudyReport.Recommended;
import io.loadertuner.service.store.JsonText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.JacksonException;

/** The table {@code recommendation} as people look through it; nothing here changes it. */
@Repository
public class MadeRecommendationStore {
    private final JdbcClient database;

    MadeRecommendationStore(JdbcClient database) {
        this.database = database;
    }

    /** The newest first; at most so many. Those that cannot be read are left out. */
    public List<MadeRecommendation> newest(int most) {
        return database.sql("""
                    select recommendation.dataset, recommendation.version, recommendation.machine_type, ranks, study_id,
                           recommended, measured_at
                    from recommendation join study on study.id = study_id
                    order by made desc limit :most
                    """).param("most", most).query((row, number) -> row(row)).list().stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<MadeRecommendation> row(ResultSet row) throws SQLException {
        Recommended recommended;
        try {
            recommended = JsonText.read(row.getString("recommended"), Recommended.class);
        } catch (JacksonException unreadable) {
            return Optional.empty();
        }
        return Optional.of(new MadeRecommendation(
                row.getString("dataset"),
                row.getString("version"),
                row.getString("machine_type"),
                row.getInt("ranks"),
                row.getString("study_id"),
                recommended,
                row.getObject("measured_at", OffsetDateTime.class).toInstant()));
    }
}
