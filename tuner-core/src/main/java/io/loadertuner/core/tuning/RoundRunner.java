package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.study.Ask;

/** Measures one round, again where other processes used the processor meanwhile. */
final class RoundRunner {
    private static final int MOST_REPEATS = 2;

    /** Foreign load below this share of the usable cores showed no effect (0.12 of 2 cores). */
    private static final double HARMLESS_SHARE = 0.06;

    private final LoaderSession session;
    private final double harmlessCores;

    RoundRunner(LoaderSession session, double usableCores) {
        this.session = session;
        this.harmlessCores = HARMLESS_SHARE * usableCores;
    }

    /**
     * The last measurement made.
     *
     * @param rejected measurements thrown away before it
     * @param busy whether this one too was disturbed
     */
    record Outcome(RoundMeasurement measurement, int rejected, boolean busy) {}

    Outcome measure(Ask ask) throws TrialFailedException, InterruptedException {
        for (int rejected = 0; ; rejected++) {
            RoundMeasurement measurement = session.measure(ask.config(), ask.plan(), ask.withStep());
            boolean busy = isDisturbed(measurement);
            if (!busy || rejected == MOST_REPEATS) {
                return new Outcome(measurement, rejected, busy);
            }
        }
    }

    private boolean isDisturbed(RoundMeasurement measurement) {
        Double foreign = measurement.foreignCores();
        return foreign != null && foreign > harmlessCores;
    }
}
