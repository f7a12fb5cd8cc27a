package io.loadertuner.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class LabelledGaugesTest {
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final LabelledGauges gauges = new LabelledGauges(meters, "rate", "how fast");

    private static Tags of(String dataset) {
        return Tags.of("dataset", dataset);
    }

    @Test
    void theLastOnesSetAreShownWithTheirLastValue() {
        gauges.set(Map.of(of("a"), 1.0, of("b"), 2.0));
        gauges.set(Map.of(of("b"), 3.0, of("c"), 4.0));

        assertThat(meters.scrape().lines().filter(line -> line.startsWith("rate{")))
                .containsExactlyInAnyOrder("rate{dataset=\"b\"} 3.0", "rate{dataset=\"c\"} 4.0");
    }

    /** Fails with an exception of Prometheus' client where one is shown twice. */
    @Test
    void whoReadsThemWhileTheyChangeSeesEachOnce() {
        AtomicBoolean done = new AtomicBoolean();
        gauges.set(Map.of(of("a"), 0.0));
        CompletableFuture<Void> setting = CompletableFuture.runAsync(() -> {
            for (int value = 1; !done.get(); value++) {
                gauges.set(Map.of(of("a"), (double) value));
            }
        });

        for (int read = 0; read < 2000; read++) {
            assertThat(meters.scrape()).containsOnlyOnce("rate{dataset=\"a\"}");
        }

        done.set(true);
        setting.join();
    }
}
