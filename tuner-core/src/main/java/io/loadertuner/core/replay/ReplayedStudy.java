package io.loadertuner.core.replay;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Conclusion;
import io.loadertuner.core.study.Observation;
import io.loadertuner.core.study.Recommendation;
import io.loadertuner.core.study.SearchProcedure;
import io.loadertuner.core.study.SearchSettings;
import io.loadertuner.core.study.SearchState;
import io.loadertuner.core.study.SearchState.Next;
import java.util.ArrayList;
import java.util.List;

/**
 * A study from its first ask to its conclusion on a replayed machine.
 *
 * @param history what was asked and what it gave
 * @param end the search's last state
 */
public record ReplayedStudy(List<Observation> history, SearchState end) {
    private static final int MORE_ROUNDS_THAN_ANY_STUDY_NEEDS = 20_000;

    /**
     * @throws IllegalStateException if the search does not end
     */
    public static ReplayedStudy run(SearchProcedure search, ReplayedMachine machine) {
        List<Observation> history = new ArrayList<>();
        while (history.size() < MORE_ROUNDS_THAN_ANY_STUDY_NEEDS) {
            SearchState state = search.after(history);
            if (!(state.next() instanceof Next.Measure measure)) {
                return new ReplayedStudy(List.copyOf(history), state);
            }
            history.add(machine.measure(measure.ask()));
        }
        throw new IllegalStateException("after " + history.size() + " rounds the search still asks");
    }

    public Conclusion conclusion() {
        return ((Next.Done) end.next()).conclusion();
    }

    /** Simulated wall time of all rounds. */
    public double seconds() {
        return history.isEmpty() ? 0 : history.get(history.size() - 1).elapsedSeconds();
    }

    /** Distinct configs measured. */
    public int trials() {
        return (int)
                history.stream().map(seen -> seen.ask().config()).distinct().count();
    }

    /** What the study recommends; the baseline where nothing could be measured. */
    public LoaderConfig recommended(SearchSettings settings) {
        Recommendation recommendation = conclusion().recommendation();
        return recommendation == null ? settings.baseline() : recommendation.config();
    }
}
