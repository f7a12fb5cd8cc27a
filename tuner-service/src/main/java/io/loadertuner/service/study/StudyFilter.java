package io.loadertuner.service.study;

import io.loadertuner.core.tuning.StudyState;
import org.jspecify.annotations.Nullable;

/** Which studies are asked for; null does not filter. */
record StudyFilter(
        @Nullable String dataset,
        @Nullable String machineType,
        @Nullable StudyState state) {
    static final StudyFilter ANY = new StudyFilter(null, null, null);
}
