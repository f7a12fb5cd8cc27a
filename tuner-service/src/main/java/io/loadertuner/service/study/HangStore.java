package io.loadertuner.service.study;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.tuning.FailureRecord;
import io.loadertuner.core.tuning.KnownHang;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.service.store.JsonText;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** What the trials of earlier studies say of configs that hang. */
@Repository
class HangStore {
    private static final Logger log = LoggerFactory.getLogger(HangStore.class);
    private static final int MOST_TRIALS = 2_000;

    private final JdbcClient database;

    HangStore(JdbcClient database) {
        this.database = database;
    }

    private record Row(
            String study,
            String request,
            int trial,
            String config,
            @Nullable String failure) {}

    /**
     * Configs whose newest trial hung when the same descriptor was tuned on machines of that type. A retry that worked, and a
     * later trial that came to an end, say that they hang no more.
     */
    List<KnownHang> hung(DatasetDescriptor descriptor, String machineType) {
        List<Row> newestFirst = database.sql("""
                        select study.id, study.request, trial.number, trial.config, trial.failure
                        from trial join study on study.id = trial.study_id
                        where study.dataset = :dataset and study.version = :version and study.loader = :loader
                          and study.machine_type = :machineType
                          and (trial.failure is null
                               or not exists (select 1 from retry
                                              where retry.study_id = trial.study_id
                                                and retry.trial_number = trial.number and retry.state = 'complete'))
                        order by study.posted desc, trial.number
                        limit :most
                        """)
                .param("dataset", descriptor.name())
                .param("version", descriptor.version())
                .param("loader", descriptor.loader())
                .param("machineType", machineType)
                .param("most", MOST_TRIALS)
                .query((row, number) -> new Row(
                        row.getString("id"),
                        row.getString("request"),
                        row.getInt("number"),
                        row.getString("config"),
                        row.getString("failure")))
                .list();
        try {
            return hung(newestFirst, descriptor);
        } catch (RuntimeException unreadable) {
            log.warn("Earlier trials cannot be read, and no config is left out for having hung", unreadable);
            return List.of();
        }
    }

    private static List<KnownHang> hung(List<Row> newestFirst, DatasetDescriptor descriptor) {
        Map<String, Boolean> same = new HashMap<>();
        Map<LoaderConfig, Optional<KnownHang>> newest = new LinkedHashMap<>();
        for (Row row : newestFirst) {
            if (same.computeIfAbsent(
                    row.study(),
                    any -> JsonText.read(row.request(), StudyRequest.class)
                            .descriptor()
                            .equals(descriptor))) {
                LoaderConfig config = JsonText.read(row.config(), LoaderConfig.class);
                newest.putIfAbsent(config, hang(row, config));
            }
        }
        return newest.values().stream().flatMap(Optional::stream).toList();
    }

    private static Optional<KnownHang> hang(Row row, LoaderConfig config) {
        return Optional.ofNullable(row.failure())
                .map(text -> JsonText.read(text, FailureRecord.class).failure().reason())
                .filter(KnownHang::isRemembered)
                .map(reason -> new KnownHang(config, reason, row.study(), row.trial()));
    }
}
