package io.loadertuner.service.recommendation;

import io.loadertuner.service.metrics.LabelledGauges;
import io.loadertuner.service.recommendation.RecommendationAnswer.Status;
import io.loadertuner.service.recommendation.RecommendationStore.Subject;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

/** How fast what is recommended was, and how fast it is looked up, as Micrometer's meters. */
@Component
class RecommendationMeters {
    private static final Logger log = LoggerFactory.getLogger(RecommendationMeters.class);
    /** Of datasets and machine types there may be any number; of time series there may not. */
    private static final int MOST_SHOWN = 200;

    private static final String CHANGES = "loader_tuner.recommendation.changes";

    private final RecommendationStore recommendations;
    private final MeterRegistry meters;
    private final LabelledGauges rates;
    private final Map<Status, Timer> lookups = new ConcurrentHashMap<>();

    RecommendationMeters(RecommendationStore recommendations, MeterRegistry meters) {
        this.recommendations = recommendations;
        this.meters = meters;
        Counter.builder(CHANGES)
                .description("how often another config was recommended than before")
                .register(meters);
        this.rates = new LabelledGauges(
                meters,
                "loader_tuner.recommendation.samples_per_second",
                "what is recommended delivered so much when it was measured; of the newest " + MOST_SHOWN
                        + " datasets and machine types");
    }

    void lookedUp(Status status, Duration taken) {
        lookups.computeIfAbsent(status, this::timer).record(taken);
    }

    private Timer timer(Status status) {
        return meters.timer("loader_tuner.lookup", "status", status.name().toLowerCase(Locale.ROOT));
    }

    @EventListener(ApplicationReadyEvent.class)
    void started() {
        refresh();
    }

    @TransactionalEventListener
    void made(RecommendationMade made) {
        if (made.changed()) {
            meters.counter(CHANGES).increment();
        }
        refresh();
    }

    private void refresh() {
        try {
            Map<Tags, Double> known = new HashMap<>();
            recommendations.current(MOST_SHOWN).forEach((of, throughput) -> {
                add(known, of, "point", throughput.samplesPerSecond());
                add(known, of, "low", throughput.low());
                add(known, of, "high", throughput.high());
            });
            rates.set(known);
        } catch (RuntimeException unreadable) {
            log.warn("The rates of what is recommended cannot be read for the metrics", unreadable);
        }
    }

    private static void add(Map<Tags, Double> known, Subject of, String bound, @Nullable Double rate) {
        if (rate != null) {
            known.put(Tags.of("dataset", of.dataset(), "machine_type", of.machineType(), "bound", bound), rate);
        }
    }
}
