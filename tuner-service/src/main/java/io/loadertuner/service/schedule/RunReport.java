package io.loadertuner.service.schedule;

import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.measure.Movement;
import io.loadertuner.core.measure.Visit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run found.
 *
 * @param text in words
 * @param rates of the config in use and the baseline now, in samples per second; null where they were not measured
 * @param movement how they compare with earlier ones; null where they were not compared
 * @param changes what is another than was measured
 * @param failure why something could not be loaded; null where all could
 */
record RunReport(
        String text,
        @Nullable Visit rates,
        @Nullable Movement movement,
        List<String> changes,
        @Nullable TrialFailure failure) {

    static RunReport of(String text) {
        return new RunReport(text, null, null, List.of(), null);
    }
}
