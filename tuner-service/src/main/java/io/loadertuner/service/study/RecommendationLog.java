package io.loadertuner.service.study;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.tuning.EarlierStudies;
import io.loadertuner.core.tuning.StudyReport;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where the recommendation of a completed study goes, in the same transaction as its last report. */
public interface RecommendationLog extends EarlierStudies {

    /**
     * What was stored.
     *
     * @param id the key under which it is stored
     * @param change null where the same config was recommended before, or none
     */
    record Added(String id, @Nullable Change change) {}

    /** What is recommended now instead of what was. */
    record Change(LoaderConfig from, LoaderConfig to, String earlierStudy) {}

    /** @param completed a report with a recommendation */
    Added add(StudyReport completed, Instant now);
}
