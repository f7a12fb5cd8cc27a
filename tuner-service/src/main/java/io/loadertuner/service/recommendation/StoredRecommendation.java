package io.loadertuner.service.recommendation;

import io.loadertuner.core.tuning.StudyReport;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A recommendation as it is stored.
 *
 * @param device null where it was made before this was kept
 */
record StoredRecommendation(
        String id,
        String studyId,
        @Nullable String device,
        StudyReport.Recommended recommended,
        StudyReport.@Nullable Baseline baseline,
        Instant measuredAt) {}
