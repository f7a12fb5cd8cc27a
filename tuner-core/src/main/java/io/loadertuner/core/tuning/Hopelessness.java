package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Whether a study had better end early: every trial so far failed in the same way, among them the one that asks for least, so
 * that whatever is left would fail like that too. A pure function of the trials.
 */
final class Hopelessness {
    private static final int ENOUGH_TRIALS = 3;

    /** What a dataset raises however little of it is asked for. */
    private static final Set<FailureReason> OF_THE_DATA =
            EnumSet.of(FailureReason.DATASET_ERROR, FailureReason.IMPORT_ERROR, FailureReason.ENVIRONMENT_ERROR);

    private final SearchSpace space;
    private final LoaderConfig baseline;

    Hopelessness(SearchSpace space, LoaderConfig baseline) {
        this.space = space;
        this.baseline = baseline;
    }

    boolean isReached(List<TrialRecord> trials) {
        if (trials.size() < ENOUGH_TRIALS
                || trials.stream()
                        .anyMatch(trial ->
                                trial.failure() == null || !trial.rounds().isEmpty())) {
            return false;
        }
        List<FailureGroup> groups = FailureGroup.of(trials);
        return groups.size() == 1
                && !isOfTheStep(groups.get(0).first())
                && withAndWithoutWorkers(trials)
                && trials.stream()
                        .anyMatch(trial ->
                                asksForLeast(trial.config(), groups.get(0).first()));
    }

    /** A step may work at one batch size alone. */
    private static boolean isOfTheStep(TrialFailure failure) {
        return "step".equals(failure.details().get("part"));
    }

    private boolean withAndWithoutWorkers(List<TrialRecord> trials) {
        boolean several = space.numWorkers().stream().anyMatch(workers -> workers != baseline.numWorkers());
        return !several
                || trials.stream()
                                .map(trial -> trial.config().numWorkers())
                                .distinct()
                                .count()
                        > 1;
    }

    private boolean asksForLeast(LoaderConfig config, TrialFailure failure) {
        boolean fewestWorkers =
                config.numWorkers() == Math.min(baseline.numWorkers(), Collections.min(space.numWorkers()));
        boolean unpinned = !config.pinMemory()
                || (baseline.pinMemory() && !space.pinMemory().contains(false));
        return fewestWorkers
                && unpinned
                && (OF_THE_DATA.contains(failure.reason()) || (smallestBatch(config) && shallowestQueue(config)));
    }

    private boolean smallestBatch(LoaderConfig config) {
        return config.batchSize() == Math.min(baseline.batchSize(), Collections.min(space.batchSize()));
    }

    private boolean shallowestQueue(LoaderConfig config) {
        Integer prefetch = config.prefetchFactor();
        return prefetch == null || prefetch <= Collections.min(space.prefetchFactor());
    }
}
