package io.loadertuner.service.schedule;

import io.loadertuner.core.measure.Movement;
import io.loadertuner.service.metrics.LabelledGauges;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Runs of schedules, and how far rates have moved, as Micrometer's meters. */
@Component
class ScheduleMeters {
    private static final Logger log = LoggerFactory.getLogger(ScheduleMeters.class);
    /** Of datasets and machine types there may be any number; of time series there may not. */
    private static final int MOST_SHOWN = 200;

    private final ScheduleRunStore runs;
    private final MeterRegistry meters;
    private final LabelledGauges drift;

    ScheduleMeters(ScheduleRunStore runs, MeterRegistry meters) {
        this.runs = runs;
        this.meters = meters;
        this.drift = new LabelledGauges(
                meters,
                "loader_tuner.drift.ratio",
                "the rate of what is recommended, over what it was before; of the newest " + MOST_SHOWN
                        + " datasets and machine types with a schedule");
    }

    @EventListener(ApplicationReadyEvent.class)
    void started() {
        refresh();
    }

    void ended(Outcome outcome) {
        meters.counter("loader_tuner.schedule.runs", "outcome", outcome.code()).increment();
        refresh();
    }

    private void refresh() {
        try {
            Map<Tags, Double> ratios = new HashMap<>();
            runs.newestReports(MOST_SHOWN).forEach((subject, report) -> {
                Movement movement = report.movement();
                if (movement != null) {
                    ratios.put(
                            Tags.of("dataset", subject.dataset(), "machine_type", subject.machineType()),
                            movement.incumbent().ratio());
                }
            });
            drift.set(ratios);
        } catch (RuntimeException unreadable) {
            log.warn("What canaries found cannot be read for the metrics", unreadable);
        }
    }
}
