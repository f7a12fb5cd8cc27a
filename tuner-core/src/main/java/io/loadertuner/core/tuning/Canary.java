package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.measure.Visit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a short look at a dataset showed that has been tuned.
 *
 * @param incumbent of the config in use; null where it fails now
 * @param baseline of the baseline; null where that is the same config, or failed
 * @param busyRounds rounds in which other processes used the processor, however often they were repeated
 * @param rounds all rounds, of both
 * @param failure why the config in use fails now; null where it does not
 */
public record Canary(
        LoaderFacts facts,
        @Nullable Throughput incumbent,
        @Nullable Throughput baseline,
        int busyRounds,
        int rounds,
        @Nullable TrialFailure failure) {

    static Canary failed(LoaderFacts facts, TrialFailure failure) {
        return new Canary(facts, null, null, 0, 0, failure);
    }

    /** The rates, to be compared with those of other times; empty where the config in use fails now. */
    public Optional<Visit> visit() {
        return Optional.ofNullable(incumbent)
                .map(rate -> new Visit(rate.samplesPerSecond(), baseline == null ? null : baseline.samplesPerSecond()));
    }

    /** Whether other processes disturbed so many rounds that the rates tell nothing of the dataset. */
    public boolean isDisturbed() {
        return rounds > 0 && 2 * busyRounds >= rounds;
    }

    /** What is different where the dataset is loaded since then, as sentences; what is not known of either is not compared. */
    public List<String> changesSince(LoaderFacts then) {
        return EnvironmentChanges.between(then, facts);
    }
}
