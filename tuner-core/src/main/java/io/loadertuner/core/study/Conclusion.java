package io.loadertuner.core.study;

import io.loadertuner.core.space.LoaderConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a search ended.
 *
 * @param recommendation null when no config could be measured
 * @param tieSet configs that cannot be told from the best one, the recommended one among them
 * @param stoppedBy what ended the confirmation
 */
public record Conclusion(@Nullable Recommendation recommendation, List<LoaderConfig> tieSet, StoppedBy stoppedBy) {

    /** Which rule ended the last comparison. */
    public enum StoppedBy {
        /** One contender was left, or no further round could change the answer. */
        SETTLED,
        /** Every interval was narrow enough. */
        PRECISION,
        /** The rounds planned were done. */
        ROUNDS,
        /** The budget was spent. */
        TIME,
        /** Nothing could be measured. */
        FAILURES
    }
}
