package io.loadertuner.example;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Ask;
import io.loadertuner.core.study.Proposal;
import io.loadertuner.core.study.Sampler;
import io.loadertuner.core.study.SamplerView;
import java.util.Comparator;

/** Fewest batches in flight first; ends when five in a row were no faster than the best before them. */
final class FewestInFlightFirst implements Sampler {

    @Override
    public Proposal propose(SamplerView view) {
        if (noFasterInARow(view) >= 5) {
            return new Proposal.Exhausted();
        }
        return view.untried().stream()
                .min(Comparator.comparingInt(LoaderConfig::batchesInFlight))
                .<Proposal>map(config -> new Proposal.Measure(Ask.first(config)))
                .orElseGet(Proposal.Exhausted::new);
    }

    private static int noFasterInARow(SamplerView view) {
        double best = 0;
        int inARow = 0;
        for (double rate : view.rates().values()) {
            inARow = rate > best ? 0 : inARow + 1;
            best = Math.max(best, rate);
        }
        return inARow;
    }
}
