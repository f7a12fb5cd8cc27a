package io.loadertuner.service.study;

import io.loadertuner.service.settings.TunerProperties;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Deletes what is older than the operator keeps it: when each batch arrived first, which is nearly all that is stored, then the
 * trials. Studies and what they recommended stay.
 */
@Component
class Retention {
    private static final Logger log = LoggerFactory.getLogger(Retention.class);

    private final RoundStore rounds;
    private final TrialStore trials;
    private final InstantSource clock;
    private final Duration batchTimes;
    private final @Nullable Duration trialAge;

    Retention(RoundStore rounds, TrialStore trials, InstantSource clock, TunerProperties properties) {
        this.rounds = rounds;
        this.trials = trials;
        this.clock = clock;
        this.batchTimes = properties.keptBatchTimes();
        this.trialAge = properties.keptTrials();
    }

    @Scheduled(initialDelay = 1, fixedDelay = 24 * 60, timeUnit = TimeUnit.MINUTES)
    void apply() {
        Instant now = clock.instant();
        int forgotten = rounds.forgetArrivals(now.minus(batchTimes));
        int deleted = trialAge == null ? 0 : trials.delete(now.minus(trialAge));
        if (forgotten + deleted > 0) {
            log.info("Of {} old rounds the times of batches were deleted, and {} old trials", forgotten, deleted);
        }
    }
}
