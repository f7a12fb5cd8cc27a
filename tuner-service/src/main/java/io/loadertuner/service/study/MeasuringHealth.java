package io.loadertuner.service.study;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Whether studies that are posted will be run. */
@Component("measuring")
class MeasuringHealth implements HealthIndicator {
    private final MeasuringThread measuring;

    MeasuringHealth(MeasuringThread measuring) {
        this.measuring = measuring;
    }

    @Override
    public Health health() {
        return measuring.isRunning()
                ? Health.up().build()
                : Health.down()
                        .withDetail("reason", "the thread that measures does not run")
                        .build();
    }
}
