package io.loadertuner.core.tuning;

import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.measure.TimedRate;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Phase;
import io.loadertuner.core.study.TrialState;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One loader config and all that was measured of it, as it is stored.
 *
 * @param number from 1, in the order of first asks
 * @param openAttempts how often a round was begun and neither ended nor given up in an orderly way
 * @param failure null if it did not fail
 */
public record TrialRecord(
        int number,
        LoaderConfig config,
        int openAttempts,
        List<RoundRecord> rounds,
        @Nullable FailureRecord failure) {

    public TrialRecord {
        rounds = List.copyOf(rounds);
    }

    public TrialState state() {
        if (failure != null) {
            return TrialState.FAILED;
        }
        return rounds.isEmpty() ? TrialState.RUNNING : TrialState.COMPLETE;
    }

    /** The pause between two passes over the data, seconds; null where it was not looked at. */
    @Nullable
    Double epochGapSeconds() {
        return rounds.stream()
                .map(RoundRecord::epochGapSeconds)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Whether a round was measured to decide between contenders. */
    boolean wasConfirmed() {
        return rounds.stream().anyMatch(round -> round.phase() == Phase.CONFIRM);
    }

    /** What it delivers, by the rounds that measured the objective; empty without one. */
    public Optional<Throughput> throughput() {
        List<TimedRate> rates = rounds.stream()
                .filter(RoundRecord::withStep)
                .map(round -> new TimedRate(round.samplesPerSecond(), round.elapsedSeconds()))
                .toList();
        return rates.isEmpty() ? Optional.empty() : Optional.of(Throughput.of(rates));
    }
}
