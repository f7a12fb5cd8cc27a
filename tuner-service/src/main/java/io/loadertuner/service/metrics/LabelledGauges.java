package io.loadertuner.service.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A gauge with a value for each of some labels. One whose value changes stays registered: taking it away and putting it back
 * would for a moment show it twice to whoever reads the metrics, which Prometheus' client refuses.
 */
public final class LabelledGauges {
    private final MultiGauge gauges;
    private final Map<Tags, Double> values = new ConcurrentHashMap<>();

    public LabelledGauges(MeterRegistry meters, String name, String description) {
        this.gauges = MultiGauge.builder(name).description(description).register(meters);
    }

    /** From now on, these and no others. */
    public synchronized void set(Map<Tags, Double> now) {
        values.putAll(now);
        gauges.register(
                now.keySet().stream()
                        .map(tags -> Row.of(tags, values, known -> known.getOrDefault(tags, Double.NaN)))
                        .toList(),
                false);
        values.keySet().retainAll(now.keySet());
    }
}
