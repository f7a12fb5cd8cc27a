package io.loadertuner.service.study;

import io.loadertuner.core.tuning.EarlierStudies;
import io.loadertuner.core.tuning.StudyReport;
import java.time.Instant;

/** Where the recommendation of a completed study goes, in the same transaction as its last report. */
public interface RecommendationLog extends EarlierStudies {

    /**
     * @param completed a report with a recommendation
     * @return the key under which it is stored
     */
    String add(StudyReport completed, Instant now);
}
