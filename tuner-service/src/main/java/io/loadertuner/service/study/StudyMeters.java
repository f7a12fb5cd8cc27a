package io.loadertuner.service.study;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.study.TrialState;
import io.loadertuner.core.tuning.StudyState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Studies and trials as Micrometer's meters. What they are tagged with are few words, whatever is tuned. */
@Component
class StudyMeters {
    private static final String PREFIX = "loader_tuner.";

    private final MeterRegistry meters;

    StudyMeters(MeterRegistry meters, StudyStore studies, InstantSource clock) {
        this.meters = meters;
        Gauge.builder(PREFIX + "queue.length", studies, StudyStore::queued)
                .description("studies that wait for their turn")
                .register(meters);
        Gauge.builder(
                        PREFIX + "queue.wait",
                        studies,
                        store -> store.oldestQueued()
                                .map(posted -> Duration.between(posted, clock.instant())
                                                .toMillis()
                                        / 1000.0)
                                .orElse(0.0))
                .description("how long the study has waited that was posted first of those that wait")
                .baseUnit("seconds")
                .register(meters);
    }

    void studyEnded(StudyState state) {
        meters.counter(PREFIX + "studies", "state", word(state)).increment();
    }

    /**
     * @param failure null where there was none
     * @param duration from the start of its round to its end
     */
    void trialEnded(TrialState state, @Nullable FailureReason failure, Duration duration) {
        String reason = failure == null ? "none" : failure.code();
        meters.counter(PREFIX + "trials", "state", word(state), "failure", reason)
                .increment();
        meters.timer(PREFIX + "trial.duration", "state", word(state)).record(duration);
    }

    private static String word(Enum<?> state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
