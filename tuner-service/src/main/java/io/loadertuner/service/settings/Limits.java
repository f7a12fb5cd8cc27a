package io.loadertuner.service.settings;

import io.loadertuner.core.loader.pytorch.TimeLimits;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The core's {@link TimeLimits} as properties, each above zero and at most a day.
 *
 * @param open importing PyTorch and building the dataset
 * @param startup starting workers, until the first batch
 * @param batch between two batches
 * @param round a whole round
 * @param teardown ending the workers after a round
 */
public record Limits(
        @DefaultValue("120s") Duration open,
        @DefaultValue("60s") Duration startup,
        @DefaultValue("30s") Duration batch,
        @DefaultValue("180s") Duration round,
        @DefaultValue("10s") Duration teardown) {
    private static final Duration LONGEST = Duration.ofDays(1);

    public Limits {
        require("open", open);
        require("startup", startup);
        require("batch", batch);
        require("round", round);
        require("teardown", teardown);
    }

    public TimeLimits timeLimits() {
        return new TimeLimits(open, startup, batch, round, teardown);
    }

    private static void require(String name, Duration limit) {
        if (limit.isNegative() || limit.isZero() || limit.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "loader-tuner.limits." + name + " must be above 0 and at most a day, but is " + limit);
        }
    }
}
