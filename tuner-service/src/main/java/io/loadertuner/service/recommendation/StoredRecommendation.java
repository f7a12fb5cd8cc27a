package io.loadertuner.service.recommendation;

import io.loadertuner.core.tuning.StudyReport;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A recommendation as it is stored.
 *
 * @param version empty where the descriptor had none
 * @param ranks training processes that it was measured with
 * @param device null where it was made before this was kept
 */
record StoredRecommendation(
        String id,
        String studyId,
        String version,
        String machineType,
        int ranks,
        @Nullable String device,
        StudyReport.Recommended recommended,
        StudyReport.@Nullable Baseline baseline,
        Instant measuredAt) {}
