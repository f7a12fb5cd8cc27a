package io.loadertuner.service.recommendation;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.measure.Visit;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.tuning.StudyReport;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is recommended for a dataset at the moment.
 *
 * @param baseline null where it was made without one
 * @param fingerprint of the descriptor that was measured
 * @param facts about where it was measured; null where they were not kept
 */
public record Incumbent(
        String id,
        String studyId,
        StudyReport.Recommended recommended,
        StudyReport.@Nullable Baseline baseline,
        String fingerprint,
        @Nullable LoaderFacts facts,
        Instant measuredAt) {

    public LoaderConfig config() {
        return recommended.config();
    }

    /** What it was compared with; itself where there was nothing else. */
    public LoaderConfig baselineConfig() {
        return baseline == null ? config() : baseline.config();
    }

    /** The rates of its study. */
    public Visit visit() {
        Throughput ofBaseline = baseline == null || baseline.config().equals(config()) ? null : baseline.throughput();
        return new Visit(
                recommended.throughput().samplesPerSecond(), ofBaseline == null ? null : ofBaseline.samplesPerSecond());
    }

    /** Whether another descriptor was measured. */
    public boolean isOfAnother(DatasetDescriptor descriptor) {
        return !Fingerprint.of(descriptor).equals(fingerprint);
    }
}
