package io.loadertuner.service.recommendation;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyRequest;
import io.loadertuner.service.store.JsonText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A recommendation as it is stored.
 *
 * @param version empty where the descriptor had none
 * @param ranks training processes that it was measured with
 * @param device null where it was made before this was kept
 * @param torch version of PyTorch; null where it was made before this was kept
 * @param confirmedAt when a canary last found it to hold; null where none did
 * @param driftedAt when a canary found it not to hold; null where none did since
 * @param request what its study was asked for, as JSON
 */
record StoredRecommendation(
        String id,
        String studyId,
        String version,
        String machineType,
        int ranks,
        @Nullable String device,
        @Nullable String torch,
        StudyReport.Recommended recommended,
        StudyReport.@Nullable Baseline baseline,
        Instant measuredAt,
        @Nullable Instant confirmedAt,
        @Nullable Instant driftedAt,
        String request) {

    /** Whether it was seen not to hold any more, or it is longer ago than {@code oldest} that it was seen to hold. */
    boolean isStale(Instant oldest) {
        Instant held = confirmedAt == null || confirmedAt.isBefore(measuredAt) ? measuredAt : confirmedAt;
        return driftedAt != null || held.isBefore(oldest);
    }

    DatasetDescriptor descriptor() {
        return JsonText.read(request, StudyRequest.class).descriptor();
    }
}
