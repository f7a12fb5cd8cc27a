package io.loadertuner.core.study;

import io.loadertuner.core.study.SearchState.Next;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A study whose every rate is written down: no noise, no drift.
 *
 * @param history what was asked and answered
 * @param end its last state
 */
record HandMadeStudy(List<Observation> history, SearchState end) {

    /**
     * @param rates samples per second of a round; 0 for one that fails
     * @param secondsPerRound wall time of each
     */
    static HandMadeStudy run(
            SearchSettings settings, Sampler sampler, ToDoubleFunction<Ask> rates, double secondsPerRound) {
        SearchProcedure search = new GuardedSearch(settings, sampler);
        List<Observation> history = new ArrayList<>();
        SearchState state = search.after(history);
        while (state.next() instanceof Next.Measure measure) {
            double rate = rates.applyAsDouble(measure.ask());
            double elapsed = secondsPerRound * (history.size() + 1);
            history.add(
                    rate > 0
                            ? new Observation(measure.ask(), rate, null, secondsPerRound, elapsed)
                            : new Observation(measure.ask(), null, "worker_crashed", secondsPerRound, elapsed));
            state = search.after(history);
        }
        return new HandMadeStudy(List.copyOf(history), state);
    }

    Conclusion conclusion() {
        return ((Next.Done) end.next()).conclusion();
    }

    List<Ask> asks(Phase phase) {
        return history.stream()
                .map(Observation::ask)
                .filter(ask -> ask.phase() == phase)
                .toList();
    }
}
