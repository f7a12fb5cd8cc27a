package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.Examination;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.space.LoaderConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found before the first trial. Stored with the study, so that a study that goes on after a restart searches
 * with the same facts and takes the same way.
 *
 * @param ranks training processes, at least 1; 1 in what was stored before there were several
 * @param stepSamplesPerSecond what the step alone takes in at the baseline's batch size; null without a step
 * @param warmStart configs known to be good from earlier studies; none in what was stored before they were kept
 * @param hung configs that hung in earlier studies of the dataset; none in what was stored before they were kept
 * @param elapsedSeconds wall time that finding it took
 * @param examination of two workers, once a config with workers has been measured; null before
 */
public record Preparation(
        Machine machine,
        String machineType,
        LoaderFacts facts,
        int ranks,
        @Nullable Double stepSamplesPerSecond,
        long seed,
        double elapsedSeconds,
        List<LoaderConfig> warmStart,
        List<KnownHang> hung,
        @Nullable Examination examination) {

    @SuppressWarnings("ConstantValue") // absent in what was stored before
    public Preparation {
        ranks = Math.max(1, ranks);
        warmStart = warmStart == null ? List.of() : List.copyOf(warmStart);
        hung = hung == null ? List.of() : List.copyOf(hung);
    }

    /** What a config will take by these facts. */
    MemoryForecast memoryForecast() {
        return new MemoryForecast(facts, ranks);
    }

    /** The same, with what two workers told. */
    Preparation with(Examination told) {
        return new Preparation(
                machine, machineType, facts, ranks, stepSamplesPerSecond, seed, elapsedSeconds, warmStart, hung, told);
    }
}
