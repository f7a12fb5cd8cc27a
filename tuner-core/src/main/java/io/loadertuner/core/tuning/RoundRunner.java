package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.MeasuredRound;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.study.Ask;

/**
 * Measures one round, again where other processes used the processor meanwhile, as long as such repeats take no more than
 * a share of the budget: on a machine that is busy all the time they would only eat up the search. Where a quota gives fewer
 * cores than there are, others may well use the rest: nothing is repeated then.
 */
final class RoundRunner {
    private static final int MOST_REPEATS = 2;
    private static final double SHARE_OF_BUDGET_FOR_REPEATS = 0.1;

    /** Foreign load below this share of the usable cores showed no effect (0.12 of 2 cores). */
    private static final double HARMLESS_SHARE = 0.06;

    private final LoaderSession session;
    private final double harmlessCores;
    private final boolean sharesItsCores;
    private final Stopwatch stopwatch;
    private double secondsLeftForRepeats;

    RoundRunner(LoaderSession session, Machine machine, double budgetSeconds, Stopwatch stopwatch) {
        this.session = session;
        this.harmlessCores = HARMLESS_SHARE * machine.usableCores();
        this.sharesItsCores = machine.usableCores() >= machine.affinityCores();
        this.stopwatch = stopwatch;
        this.secondsLeftForRepeats = SHARE_OF_BUDGET_FOR_REPEATS * budgetSeconds;
    }

    /**
     * The last round measured.
     *
     * @param rejected rounds thrown away before it
     * @param busy whether this one too was disturbed
     * @param costSeconds wall time of this one alone
     */
    record Outcome(MeasuredRound round, int rejected, boolean busy, double costSeconds) {}

    Outcome measure(Ask ask) throws TrialFailedException, InterruptedException {
        for (int rejected = 0; ; rejected++) {
            double begun = stopwatch.seconds();
            MeasuredRound round = session.measure(ask.config(), ask.plan(), ask.withStep());
            double costSeconds = stopwatch.seconds() - begun;
            boolean busy = isDisturbed(round.measurement());
            if (!busy || rejected == MOST_REPEATS || costSeconds > secondsLeftForRepeats) {
                return new Outcome(round, rejected, busy, costSeconds);
            }
            secondsLeftForRepeats -= costSeconds;
        }
    }

    private boolean isDisturbed(RoundMeasurement measurement) {
        Double foreign = measurement.foreignCores();
        return sharesItsCores && foreign != null && foreign > harmlessCores;
    }
}
