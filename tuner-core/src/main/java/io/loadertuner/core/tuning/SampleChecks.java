package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Budget;
import java.time.Duration;

/** Holds what was measured of a config against what it delivers: the rate of wrong samples is none. */
@FunctionalInterface
interface SampleChecks {
    /** A pass takes at most this share of the budget, within the bounds below. */
    double SHARE_OF_BUDGET = 0.01;

    double LEAST_SECONDS = 0.5;
    double MOST_SECONDS = 2;

    /**
     * The measurement, with a warning where it could not be checked or something is to be said of it.
     *
     * @throws TrialFailedException if the config delivers wrong, doubled or missing samples, or fails while it is looked at
     */
    RoundMeasurement checked(LoaderConfig config, RoundMeasurement measured)
            throws TrialFailedException, InterruptedException;

    static SampleChecks of(LoaderSession session, Budget budget) {
        double seconds = Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, SHARE_OF_BUDGET * budget.wallSeconds()));
        Duration atMost = Duration.ofMillis(Math.round(1000 * seconds));
        return (config, measured) ->
                session.verify(config, atMost).map(measured::warning).orElse(measured);
    }
}
