package io.loadertuner.service.recommendation;

import io.loadertuner.core.tuning.StudyReport;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A recommendation as it is stored. */
record StoredRecommendation(
        String id,
        String studyId,
        StudyReport.Recommended recommended,
        StudyReport.@Nullable Baseline baseline,
        Instant measuredAt) {}
