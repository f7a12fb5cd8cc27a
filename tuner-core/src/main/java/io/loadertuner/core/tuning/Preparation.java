package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.space.LoaderConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found before the first trial. Stored with the study, so that a study that goes on after a restart searches
 * with the same facts and takes the same way.
 *
 * @param stepSamplesPerSecond what the step alone takes in at the baseline's batch size; null without a step
 * @param warmStart configs known to be good from earlier studies; none in what was stored before they were kept
 * @param hung configs that hung in earlier studies of the dataset; none in what was stored before they were kept
 * @param elapsedSeconds wall time that finding it took
 */
public record Preparation(
        Machine machine,
        String machineType,
        LoaderFacts facts,
        @Nullable Double stepSamplesPerSecond,
        long seed,
        double elapsedSeconds,
        List<LoaderConfig> warmStart,
        List<KnownHang> hung) {

    @SuppressWarnings("ConstantValue") // absent in what was stored before
    public Preparation {
        warmStart = warmStart == null ? List.of() : List.copyOf(warmStart);
        hung = hung == null ? List.of() : List.copyOf(hung);
    }
}
