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
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The table {@code round}. The arrivals lie beside the rest of a round's record, compressed. */
@Repository
class RoundStore {
    private static final String WINDOW = "/measurement/window";
    private static final String ARRIVALS = "arrivals_micros";

    private final JdbcClient database;

    RoundStore(JdbcClient database) {
        this.database = database;
    }

    void add(String studyId, int trial, RoundRecord round) {
        ObjectNode record = JsonText.tree(round);
        ((ObjectNode) record.at(WINDOW)).remove(ARRIVALS);
        database.sql("""
                        insert into round (study_id, trial_number, ordinal, record, arrivals)
                        select :studyId, :trial, count(*) + 1, :record, :arrivals from round
                        where study_id = :studyId and trial_number = :trial
                        """)
                .param("studyId", studyId)
                .param("trial", trial)
                .param("record", JsonText.of(record))
                .param("arrivals", Arrivals.pack(round.measurement().window().arrivalsMicros()))
                .update();
    }

    /** The rounds of trials {@code first} to {@code last}, by trial, in the order they were measured. */
    Map<Integer, List<RoundRecord>> ofTrials(String studyId, int first, int last) {
        Map<Integer, List<RoundRecord>> rounds = new TreeMap<>();
        database.sql("""
                        select trial_number, record, arrivals from round
                        where study_id = :studyId and trial_number between :first and :last
                        order by trial_number, ordinal
                        """)
                .param("studyId", studyId)
                .param("first", first)
                .param("last", last)
                .query(row -> {
                    rounds.computeIfAbsent(row.getInt("trial_number"), any -> new ArrayList<>())
                            .add(round(row.getString("record"), row.getBytes("arrivals")));
                });
        return rounds;
    }

    private static RoundRecord round(String text, byte[] arrivals) {
        ObjectNode record = JsonText.object(text);
        ArrayNode micros = ((ObjectNode) record.at(WINDOW)).putArray(ARRIVALS);
        Arrivals.unpack(arrivals).forEach(micros::add);
        return JsonText.value(record, RoundRecord.class);
    }
}
