package io.loadertuner.service.study;

import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyState;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A study as people look at it.
 *
 * @param askedBy the name of the token that it was posted with; null where none was needed, or it was posted before that was kept
 * @param report as it stands now; empty where what is stored cannot be read
 * @param requestJson what was asked for, with absolute paths
 * @param endedAt null before it is over
 */
public record ShownStudy(
        String id,
        StudyState state,
        String dataset,
        String machineType,
        @Nullable String askedBy,
        Optional<StudyReport> report,
        String requestJson,
        Instant createdAt,
        @Nullable Instant endedAt) {}
