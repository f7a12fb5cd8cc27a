package io.loadertuner.service.recommendation;

import io.loadertuner.core.tuning.StudyReport.Recommended;
import java.time.Instant;

/**
 * A recommendation that was made, as people look at it.
 *
 * @param version empty where the descriptor had none
 */
public record MadeRecommendation(
        String dataset,
        String version,
        String machineType,
        int ranks,
        String studyId,
        Recommended recommended,
        Instant measuredAt) {}
