package io.loadertuner.core.loader.pytorch;

import java.time.Duration;

/**
 * How long the probe may stay silent before it counts as hung.
 *
 * @param open importing PyTorch and building the dataset
 * @param startup starting workers, until the first batch
 * @param batch between two batches
 * @param round a whole round
 * @param teardown ending the workers after a round
 */
public record TimeLimits(Duration open, Duration startup, Duration batch, Duration round, Duration teardown) {
    public static final TimeLimits DEFAULT = new TimeLimits(
            Duration.ofSeconds(120),
            Duration.ofSeconds(60),
            Duration.ofSeconds(30),
            Duration.ofSeconds(180),
            Duration.ofSeconds(10));
}
