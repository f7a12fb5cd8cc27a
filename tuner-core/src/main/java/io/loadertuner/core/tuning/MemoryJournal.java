package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.ProcessLog;
import io.loadertuner.core.space.LoaderConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A journal that lasts as long as its process. It keeps neither arrivals nor logs: nobody could ask it for
 * them.
 */
public final class MemoryJournal implements Journal {
    private final Map<Integer, TrialRecord> trials = new TreeMap<>();
    private @Nullable Preparation preparation;
    private @Nullable StudyReport report;

    @Override
    public synchronized Optional<Preparation> preparation() {
        return Optional.ofNullable(preparation);
    }

    @Override
    public synchronized void prepared(Preparation found) {
        preparation = found;
    }

    @Override
    public synchronized List<TrialRecord> trials() {
        return List.copyOf(trials.values());
    }

    @Override
    public synchronized void roundBegun(int number, LoaderConfig config) {
        trials.merge(
                number,
                new TrialRecord(number, config, 1, List.of(), null),
                (known, fresh) -> open(known, known.openAttempts() + 1));
    }

    @Override
    public void printed(int number, ProcessLog log) {}

    @Override
    public synchronized void roundMeasured(int number, RoundRecord round, List<Long> arrivalsMicros) {
        trials.computeIfPresent(number, (same, trial) -> {
            List<RoundRecord> rounds = new ArrayList<>(trial.rounds());
            rounds.add(round);
            return new TrialRecord(number, trial.config(), 0, rounds, trial.failure());
        });
    }

    @Override
    public synchronized void trialFailed(int number, FailureRecord failure) {
        trials.computeIfPresent(
                number, (same, trial) -> new TrialRecord(number, trial.config(), 0, trial.rounds(), failure));
    }

    @Override
    public synchronized void roundAbandoned(int number) {
        trials.computeIfPresent(number, (same, trial) -> open(trial, trial.openAttempts() - 1));
        trials.values()
                .removeIf(trial -> trial.number() == number
                        && trial.openAttempts() == 0
                        && trial.rounds().isEmpty()
                        && trial.failure() == null);
    }

    @Override
    public synchronized void reported(StudyReport newest) {
        report = newest;
    }

    /** The newest report; empty before there is one. */
    public synchronized Optional<StudyReport> report() {
        return Optional.ofNullable(report);
    }

    private static TrialRecord open(TrialRecord trial, int attempts) {
        return new TrialRecord(trial.number(), trial.config(), attempts, trial.rounds(), trial.failure());
    }
}
