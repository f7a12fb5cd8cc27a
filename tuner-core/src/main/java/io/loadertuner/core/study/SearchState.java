package io.loadertuner.core.study;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Where a search stands after a history.
 *
 * @param next what it wants, or how it ended
 * @param explanation its steps so far
 * @param skipped configs it passed over so far
 * @param resolvableDifference the least relative difference that five paired rounds resolve here; empty before the
 *     baseline has been measured
 */
public record SearchState(
        Next next, List<Explanation> explanation, List<Skip> skipped, OptionalDouble resolvableDifference) {

    /** The same, with nothing more to measure and no answer. */
    public SearchState givenUp() {
        Conclusion nothing = new Conclusion(null, List.of(), Conclusion.StoppedBy.FAILURES);
        return new SearchState(new Next.Done(nothing), explanation, skipped, resolvableDifference);
    }

    /** The next thing to do. */
    public sealed interface Next {
        /** Measure a round. */
        record Measure(Ask ask) implements Next {}

        /** Nothing more to measure. */
        record Done(Conclusion conclusion) implements Next {}
    }
}
