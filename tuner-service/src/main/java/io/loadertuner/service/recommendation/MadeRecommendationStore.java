package io.loadertuner.service.recommendation;

import io.loadertuner.core.tuning.StudyReport.Recommended;
import io.loadertuner.service.store.JsonText;
import io.loadertuner.service.store.LikePattern;
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
    private static final String MATCHES = """
             (lower(recommendation.dataset) like :text escape '!' or lower(recommendation.version) like :text escape '!'
              or lower(recommendation.machine_type) like :text escape '!')
            """;

    private final JdbcClient database;

    MadeRecommendationStore(JdbcClient database) {
        this.database = database;
    }

    /**
     * What is recommended on a machine type for a dataset and so many ranks, and what was before it.
     *
     * @param text what the dataset's name or version or the machine type has somewhere in it, in any case; empty for any
     * @param page from 1; what was recommended last is on the first
     * @param earlier at most so many of those before the current one
     * @return the newest of a subject first, and the subjects by that; those that cannot be read are left out
     */
    public List<MadeRecommendation> page(String text, int page, int pageSize, int earlier) {
        return database
                .sql("""
                    select dataset, version, machine_type, ranks, study_id, recommended, measured_at from (
                        select subjects.*, dense_rank() over (order by newest desc) as place from (
                            select recommendation.*, study.ranks,
                                   row_number() over (partition by recommendation.dataset, recommendation.version,
                                       recommendation.machine_type, ranks order by made desc) as age,
                                   max(made) over (partition by recommendation.dataset, recommendation.version,
                                       recommendation.machine_type, ranks) as newest
                            from recommendation join study on study.id = study_id
                            where
                    """ + MATCHES + """
                        ) subjects
                    ) places
                    where place > :skipped and place <= :skipped + :shown and age <= :most
                    order by place, age
                    """)
                .param("text", LikePattern.containing(text))
                .param("skipped", (page - 1L) * pageSize)
                .param("shown", pageSize)
                .param("most", 1 + earlier)
                .query((row, number) -> row(row))
                .list()
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    /** How many subjects {@link #page} has on all its pages. */
    public int subjects(String text) {
        return database.sql("""
                    select count(*) from (
                        select distinct recommendation.dataset, recommendation.version, recommendation.machine_type, ranks
                        from recommendation join study on study.id = study_id
                        where
                    """ + MATCHES + ") subjects")
                .param("text", LikePattern.containing(text))
                .query(Integer.class)
                .single();
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
