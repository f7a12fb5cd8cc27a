package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.machine.Machine;
import org.jspecify.annotations.Nullable;

/**
 * What was found before the first trial. Stored with the study, so that a study that goes on after a restart searches
 * with the same facts and takes the same way.
 *
 * @param stepSamplesPerSecond what the step alone takes in at the baseline's batch size; null without a step
 * @param elapsedSeconds wall time that finding it took
 */
public record Preparation(
        Machine machine,
        String machineType,
        LoaderFacts facts,
        @Nullable Double stepSamplesPerSecond,
        long seed,
        double elapsedSeconds) {}
