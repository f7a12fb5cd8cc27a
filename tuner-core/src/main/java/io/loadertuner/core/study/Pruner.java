package io.loadertuner.core.study;

import io.loadertuner.core.measure.PairedRounds;

/** Decides which trials need not be measured any further. */
public interface Pruner {

    /**
     * Whether a trial can be ended now.
     *
     * @param reports what every trial has reported so far; reports of the same round are comparable
     * @param <K> what tells trials apart
     */
    <K> boolean prunes(K trial, PairedRounds<K> reports);
}
