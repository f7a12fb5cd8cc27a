package io.loadertuner.core.tuning;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Ask;
import io.loadertuner.core.study.Observation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The stored trials of one study as the search and the report want to see them. */
record Trials(List<TrialRecord> records) {

    Trials {
        records = List.copyOf(records);
    }

    /** Everything observed, in the order of time. */
    List<Observation> observations() {
        List<Observation> all = new ArrayList<>();
        for (TrialRecord trial : records) {
            for (RoundRecord round : trial.rounds()) {
                all.add(new Observation(
                        new Ask(trial.config(), round.phase(), round.round()),
                        round.samplesPerSecond(),
                        null,
                        round.costSeconds(),
                        round.elapsedSeconds()));
            }
            FailureRecord failure = trial.failure();
            if (failure != null) {
                all.add(new Observation(
                        new Ask(trial.config(), failure.phase(), failure.round()),
                        null,
                        failure.failure().reason().code(),
                        failure.costSeconds(),
                        failure.elapsedSeconds()));
            }
        }
        all.sort(Comparator.comparingDouble(Observation::elapsedSeconds));
        return all;
    }

    Optional<TrialRecord> of(LoaderConfig config) {
        return records.stream().filter(trial -> trial.config().equals(config)).findFirst();
    }

    /** Number of the trial of that config, or the next free one. */
    int numberFor(LoaderConfig config) {
        return of(config)
                .map(TrialRecord::number)
                .orElseGet(() ->
                        1 + records.stream().mapToInt(TrialRecord::number).max().orElse(0));
    }

    /** The study's wall time at the last thing stored. */
    double elapsedSeconds() {
        return observations().stream()
                .mapToDouble(Observation::elapsedSeconds)
                .max()
                .orElse(0);
    }

    int rejectedRounds() {
        return records.stream()
                .flatMap(trial -> trial.rounds().stream())
                .mapToInt(RoundRecord::rejected)
                .sum();
    }

    boolean wereDisturbed() {
        return records.stream().flatMap(trial -> trial.rounds().stream()).anyMatch(RoundRecord::busy);
    }
}
