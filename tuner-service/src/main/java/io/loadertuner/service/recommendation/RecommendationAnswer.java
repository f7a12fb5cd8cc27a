package io.loadertuner.service.recommendation;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.dataset.TrainingStep;
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
 * @param stale whether it was seen not to load any more as it did, or it is longer ago than the operator trusts a measurement
 *     that it was seen to
 * @param throughput of this very config where it was measured; null if it was not
 * @param baseline what it was compared with; null where there is no throughput
 * @param confirmedAt when a canary last found the rates as they were measured; null where none did
 * @param driftedAt when a canary found that they have moved beyond noise; null where none did since
 * @param device what the batches went to when it was measured: {@code cpu}, {@code cuda:0}; null if nothing was measured
 * @param machineType that it was measured on; the one that was asked for if nothing was measured
 * @param version that it was measured for, empty where that had none; null if nothing was measured
 * @param ranks that it was measured with; null if nothing was measured
 * @param measuredOn what was measured; null if nothing was
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
        @Nullable Instant confirmedAt,
        @Nullable Instant driftedAt,
        @Nullable String device,
        String machineType,
        @Nullable String version,
        @Nullable Integer ranks,
        @Nullable String study,
        @Nullable MeasuredOn measuredOn,
        Tuning tuning) {

    /** From what was measured. Of a config that is another than the one measured, no rate is told. */
    static RecommendationAnswer from(
            StoredRecommendation known,
            Status status,
            boolean stale,
            String reason,
            LoaderConfig config,
            Tuning tuning) {
        boolean asMeasured = config.equals(known.recommended().config());
        return new RecommendationAnswer(
                known.id(),
                status,
                stale,
                reason,
                config,
                asMeasured ? known.recommended().throughput() : null,
                asMeasured ? known.baseline() : null,
                asMeasured ? known.recommended().speedup() : null,
                known.measuredAt(),
                known.confirmedAt(),
                known.driftedAt(),
                known.device(),
                known.machineType(),
                known.version(),
                known.ranks(),
                known.studyId(),
                MeasuredOn.of(known),
                tuning);
    }

    /**
     * The same answer.
     *
     * @param note what to add to its reason
     */
    RecommendationAnswer with(Tuning now, String note) {
        return new RecommendationAnswer(
                id,
                status,
                stale,
                reason + note,
                config,
                throughput,
                baseline,
                speedup,
                measuredAt,
                confirmedAt,
                driftedAt,
                device,
                machineType,
                version,
                ranks,
                study,
                measuredOn,
                now);
    }

    /**
     * What of the descriptor and the software decides what is loaded.
     *
     * @param step null where the loader alone was measured
     * @param torch version of PyTorch; null where it is not known
     */
    record MeasuredOn(
            Source source,
            @Nullable TrainingStep step,
            @Nullable String torch) {
        static MeasuredOn of(StoredRecommendation known) {
            DatasetDescriptor descriptor = known.descriptor();
            return new MeasuredOn(descriptor.source(), descriptor.step(), known.torch());
        }
    }

    /** One that rests on no measurement. */
    static RecommendationAnswer unmeasured(String reason, LoaderConfig config, String machineType, Tuning tuning) {
        return new RecommendationAnswer(
                null,
                Status.DEFAULT,
                false,
                reason,
                config,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                machineType,
                null,
                null,
                null,
                null,
                tuning);
    }

    /** How well it fits what was asked. */
    enum Status {
        /** Measured for this dataset, version, loader and number of ranks, on a machine like the caller's. */
        EXACT,
        /** Measured for another version, machine or number of ranks, and fitted to what was asked. */
        SIMILAR,
        /** Nothing was measured, or it cannot be read. */
        DEFAULT
    }

    /** Whether a better answer is on its way. */
    enum Tuning {
        NONE,
        QUEUED,
        RUNNING
    }
}
