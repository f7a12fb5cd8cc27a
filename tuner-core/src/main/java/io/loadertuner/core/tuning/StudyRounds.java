package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.ProcessLog;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.study.Ask;
import io.loadertuner.core.study.Phase;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Measures the rounds of a study, one after the other, and stores what comes of each. */
record StudyRounds(
        LoaderSession session,
        Journal journal,
        RoundRunner rounds,
        SampleChecks checks,
        MemoryForecast forecast,
        Stopwatch stopwatch) {

    /**
     * What a config delivers is checked before its first round counts: a config with stored rounds has been checked.
     *
     * @param trial what is stored of the config; empty if nothing is
     * @return whether the round could be measured; what came of it is in the journal
     */
    boolean measure(Ask ask, int number, Optional<TrialRecord> trial) throws InterruptedException {
        double begun = stopwatch.seconds();
        journal.roundBegun(number, ask.config());
        try {
            Double gapSeconds = epochGapSeconds(ask, trial);
            RoundRunner.Outcome outcome = rounds.measure(ask);
            RoundMeasurement measurement = outcome.round().measurement();
            if (trial.map(known -> known.rounds().isEmpty()).orElse(true)) {
                measurement = checks.checked(ask.config(), measurement);
            }
            RoundRecord round = RoundRecord.of(ask, outcome, measurement, gapSeconds, stopwatch.seconds());
            keepLog(number);
            journal.roundMeasured(number, round, outcome.round().arrivalsMicros());
            return true;
        } catch (TrialFailedException failed) {
            FailureRecord failure = FailureRecord.of(
                    ask, forecast.estimated(failed.failure(), ask.config()), begun, stopwatch.seconds());
            keepLog(number);
            journal.trialFailed(number, failure);
            return false;
        } catch (InterruptedException cancelled) {
            journal.roundAbandoned(number);
            throw cancelled;
        }
    }

    /** Stores what was printed since the last time. */
    void keepLog(int number) {
        ProcessLog log = session.takeLog();
        if (!log.isEmpty()) {
            journal.printed(number, log);
        }
    }

    /**
     * The pause between two passes, looked at where a config has come so far as to be compared in the end, and before its
     * round: a round that has been measured is stored at once.
     */
    private @Nullable Double epochGapSeconds(Ask ask, Optional<TrialRecord> trial) throws InterruptedException {
        if (ask.phase() != Phase.CONFIRM
                || trial.filter(TrialRecord::wasConfirmed).isPresent()) {
            return null;
        }
        try {
            OptionalDouble seconds = session.epochGapSeconds(ask.config());
            return seconds.isPresent() ? seconds.getAsDouble() : null;
        } catch (TrialFailedException unknown) {
            return null;
        }
    }
}
