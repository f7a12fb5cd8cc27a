package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;
import java.util.Optional;

/**
 * Ends a trial as soon as it cannot win any more: it is behind the best by more than a margin, and the one-sided 95 % bound of
 * its deficit is above 0. Comparable to the elimination of irace (López-Ibáñez et al., 2016), with a pooled deviation in
 * place of a rank test.
 */
public final class FutilityPruner implements Pruner {
    private final double margin;

    /** With the margin of 3 %, the least difference that is worth having. */
    public FutilityPruner() {
        this(Ranking.MARGIN);
    }

    /**
     * @param margin 0.03 is 3 %
     */
    public FutilityPruner(double margin) {
        this.margin = margin;
    }

    @Override
    public <K> boolean prunes(K trial, PairedRounds<K> reports) {
        Optional<K> best = reports.leader();
        return best.isPresent() && reports.hasFallenBehind(trial, best.get(), margin);
    }
}
