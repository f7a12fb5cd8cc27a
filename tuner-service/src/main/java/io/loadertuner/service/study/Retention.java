package io.loadertuner.service.study;

import io.loadertuner.service.settings.TunerProperties;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Deletes what is older than the operator keeps it: when each batch arrived first, which is nearly all that is stored, then the
 * trials. Studies and what they recommended stay.
 */
@Component
@ConditionalOnWebApplication
class Retention {
    private static final Logger log = LoggerFactory.getLogger(Retention.class);

    private final StudyStore studies;
    private final TrialStore trials;
    private final MeasuringThread measuring;
    private final InstantSource clock;
    private final Duration batchTimes;
    private final @Nullable Duration trialAge;

    Retention(
            StudyStore studies,
            TrialStore trials,
            MeasuringThread measuring,
            InstantSource clock,
            TunerProperties properties) {
        this.studies = studies;
        this.trials = trials;
        this.measuring = measuring;
        this.clock = clock;
        this.batchTimes = properties.keptBatchTimes();
        this.trialAge = properties.keptTrials();
    }

    /** One study after the other, and none beside a measurement: what is left is for the next time. */
    @Scheduled(initialDelay = 1, fixedDelay = 60, timeUnit = TimeUnit.MINUTES)
    void apply() {
        Instant now = clock.instant();
        for (String study : studies.withBatchTimes(now.minus(batchTimes))) {
            if (measuring.isBusy()) {
                return;
            }
            trials.forgetArrivals(study);
            LogMarks.during(
                    study,
                    () -> log.info(
                            "The times of batches of study {} were deleted: it is older than {}", study, batchTimes));
        }
        for (String study : trialAge == null ? List.<String>of() : studies.withTrials(now.minus(trialAge))) {
            if (measuring.isBusy()) {
                return;
            }
            int deleted = trials.delete(study);
            LogMarks.during(
                    study,
                    () -> log.info(
                            "{} trials of study {} were deleted: it is older than {}", deleted, study, trialAge));
        }
    }
}
