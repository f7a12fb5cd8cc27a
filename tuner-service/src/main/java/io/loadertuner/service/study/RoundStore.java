package io.loadertuner.service.study;

import io.loadertuner.core.tuning.RoundRecord;
import io.loadertuner.service.store.Arrivals;
import io.loadertuner.service.store.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.node.ObjectNode;

/**
 * The table {@code round}. The arrivals lie beside a round's record, compressed, and are read only when they are asked for:
 * the search and every list do without.
 */
@Repository
class RoundStore {
    private static final String WINDOW = "/measurement/window";
    private static final String SECONDS = "seconds";

    private final JdbcClient database;

    RoundStore(JdbcClient database) {
        this.database = database;
    }

    /** Adds a round to its trial; how many it then has. */
    int add(String studyId, int trial, RoundRecord round, List<Long> arrivalsMicros) {
        database.sql("""
                        insert into round (study_id, trial_number, ordinal, record, arrivals)
                        select :studyId, :trial, count(*) + 1, :record, :arrivals from round
                        where study_id = :studyId and trial_number = :trial
                        """)
                .param("studyId", studyId)
                .param("trial", trial)
                .param("record", JsonText.of(round))
                .param("arrivals", Arrivals.pack(arrivalsMicros))
                .update();
        return database.sql("select count(*) from round where study_id = :studyId and trial_number = :trial")
                .param("studyId", studyId)
                .param("trial", trial)
                .query(Integer.class)
                .single();
    }

    /** The rounds of trials {@code first} to {@code last}, by trial, in the order they were measured. */
    Map<Integer, List<RoundRecord>> ofTrials(String studyId, int first, int last) {
        Map<Integer, List<RoundRecord>> rounds = new TreeMap<>();
        database.sql("""
                        select trial_number, record from round
                        where study_id = :studyId and trial_number between :first and :last
                        order by trial_number, ordinal
                        """)
                .param("studyId", studyId)
                .param("first", first)
                .param("last", last)
                .query(row -> {
                    rounds.computeIfAbsent(row.getInt("trial_number"), any -> new ArrayList<>())
                            .add(round(row.getString("record")));
                });
        return rounds;
    }

    /** When the batches of each round of a trial arrived, in the order of its rounds: microseconds since {@code iter()}. */
    List<List<Long>> arrivals(String studyId, int trial) {
        return database.sql("""
                        select arrivals from round
                        where study_id = :studyId and trial_number = :trial
                        order by ordinal
                        """)
                .param("studyId", studyId)
                .param("trial", trial)
                .query((row, index) -> Arrivals.unpack(row.getBytes("arrivals")))
                .list();
    }

    /** Forgets when the batches of a study arrived. */
    void forgetArrivals(String studyId) {
        database.sql("update round set arrivals = :none where study_id = :studyId")
                .param("none", Arrivals.pack(List.of()))
                .param("studyId", studyId)
                .update();
    }

    /** Rounds stored by earlier versions do not say how long their window was; it follows from their rate. */
    private static RoundRecord round(String text) {
        ObjectNode record = JsonText.object(text);
        ObjectNode window = (ObjectNode) record.at(WINDOW);
        if (!window.has(SECONDS)) {
            window.put(
                    SECONDS,
                    window.path("samples").asLong()
                            / record.path("samples_per_second").asDouble());
        }
        return JsonText.value(record, RoundRecord.class);
    }
}
