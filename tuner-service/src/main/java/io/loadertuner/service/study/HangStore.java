package io.loadertuner.service.study;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.tuning.FailureRecord;
import io.loadertuner.core.tuning.KnownHang;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.service.store.JsonText;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
            @Nullable String failure,
            boolean worksAgain) {

        Optional<FailureReason> hang() {
            return Optional.ofNullable(failure)
                    .filter(any -> !worksAgain)
                    .map(text -> JsonText.read(text, FailureRecord.class).failure())
                    .filter(KnownHang::isRemembered)
                    .map(TrialFailure::reason);
        }
    }

    /**
     * Configs whose newest trial hung when the same descriptor was tuned on machines of that type. A retry that worked, and a
     * later trial that came to an end, say that they hang no more. A study in which reading without workers hung, too, says
     * nothing of its configs: it was the data that could not be read.
     */
    List<KnownHang> hung(DatasetDescriptor descriptor, String machineType) {
        List<Row> newestFirst = database.sql("""
                        select study.id, study.request, trial.number, trial.config, trial.failure,
                               exists (select 1 from retry
                                       where retry.study_id = trial.study_id
                                         and retry.trial_number = trial.number and retry.state = 'complete') as works_again
                        from trial join study on study.id = trial.study_id
                        where study.dataset = :dataset and study.version = :version and study.loader = :loader
                          and study.machine_type = :machineType
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
                        row.getString("failure"),
                        row.getBoolean("works_again")))
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
        Set<String> dataHung = new HashSet<>();
        for (Row row : newestFirst) {
            LoaderConfig config = JsonText.read(row.config(), LoaderConfig.class);
            if (row.hang().isPresent() && config.numWorkers() == 0) {
                dataHung.add(row.study());
            }
            if (same.computeIfAbsent(
                    row.study(),
                    any -> JsonText.read(row.request(), StudyRequest.class)
                            .descriptor()
                            .equals(descriptor))) {
                newest.putIfAbsent(
                        config, row.hang().map(reason -> new KnownHang(config, reason, row.study(), row.trial())));
            }
        }
        return newest.values().stream()
                .flatMap(Optional::stream)
                .filter(hang -> !dataHung.contains(hang.study()))
                .toList();
    }
}
