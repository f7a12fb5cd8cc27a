package io.loadertuner.core.loader.truth;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a config delivers against what 0 workers do, by aspects: the form of each leaf and its content. */
sealed interface Comparison permits IndexedComparison, StreamComparison {

    /** The same comparison without these aspects besides. */
    Comparison ignoring(Set<String> more);

    Optional<Difference> difference(Deliveries found, int workers);

    /** Aspects that differ anywhere between the first reading without workers and this one. */
    Set<String> varyingFromFirst(Deliveries other);

    /** Aspects that differ anywhere between two readings of the same. */
    Set<String> varyingBetween(Deliveries one, Deliveries other);

    /**
     * Aspects that are otherwise than without workers in any of these readings, but follow from which worker read alone: several
     * deliver the same in every reading, the first of them what a single one delivers, and every other so too or nowhere.
     *
     * @param byOne readings by a single worker
     * @param bySeveral readings by so many workers
     */
    Set<String> fixedInWorkers(List<Deliveries> byOne, List<Deliveries> bySeveral, int workers);
}
