package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.Examination;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.SearchSettings;
import java.util.Optional;
import java.util.stream.Stream;

/** Has two workers tell of themselves, where nothing is known against two. */
record WorkerExamination(SearchSettings settings, Preparation preparation, Trials trials) {
    private static final int WORKERS = 2;

    /**
     * @param working a config with workers that has been measured
     * @return empty where the loader has nothing to tell
     */
    Optional<Examination> of(LoaderSession session, LoaderConfig working) throws InterruptedException {
        Optional<String> obstacle = obstacle(working);
        if (obstacle.isPresent()) {
            return Optional.of(untold(obstacle.get()));
        }
        try {
            return session.examine(working);
        } catch (TrialFailedException failed) {
            return Optional.of(untold(failed.failure().message()));
        }
    }

    private Optional<String> obstacle(LoaderConfig working) {
        LoaderConfig two = LoaderConfig.of(
                WORKERS,
                LoaderConfig.DEFAULT_PREFETCH,
                working.pinMemory(),
                working.batchSize(),
                working.persistentWorkers(),
                working.multiprocessingContext());
        Stream<LoaderConfig> hung = Stream.concat(
                preparation.hung().stream().map(KnownHang::config),
                trials.records().stream()
                        .filter(trial -> Optional.ofNullable(trial.failure())
                                .filter(record -> record.failure().reason() == FailureReason.TIMED_OUT)
                                .isPresent())
                        .map(TrialRecord::config));
        return settings.infeasible()
                .apply(two)
                .or(() -> hung.filter(config -> config.numWorkers() == WORKERS)
                        .findFirst()
                        .map(config -> "with two of them loading hung"));
    }

    private static Examination untold(String problem) {
        return new Examination(null, null, null, problem);
    }
}
