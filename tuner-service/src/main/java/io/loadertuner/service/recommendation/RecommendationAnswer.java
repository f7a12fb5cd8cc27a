package io.loadertuner.service.recommendation;

import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.tuning.StudyReport;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The best known config as it is answered.
 *
 * @param id null for a default
 * @param stale whether what was measured no longer holds
 * @param baseline what it was compared with; null for a default
 * @param device what the batches went to when it was measured: {@code cpu}, {@code cuda:0}; null if nothing was measured
 * @param tuning whether a study of this dataset on this machine type is under way
 */
record RecommendationAnswer(
        @Nullable String id,
        Status status,
        boolean stale,
        String reason,
        LoaderConfig config,
        @Nullable Throughput throughput,
        StudyReport.@Nullable Baseline baseline,
        @Nullable Ratio speedup,
        @Nullable Instant measuredAt,
        @Nullable String device,
        String machineType,
        @Nullable String study,
        Tuning tuning) {

    /** How well it fits what was asked. */
    enum Status {
        /** Measured for this dataset, version and loader on this machine type. */
        EXACT,
        /** Nothing was measured. */
        DEFAULT
    }

    /** Whether a better answer is on its way. */
    enum Tuning {
        NONE,
        QUEUED,
        RUNNING
    }
}
