package io.loadertuner.core.study;

import io.loadertuner.core.study.Replay.Pending;

/** The part of a search between the baseline and the confirmation: finds who is worth confirming. */
interface Exploration {

    /**
     * Runs over the search's history.
     *
     * @return the best config and those that cannot be told from it
     */
    Front explore(Search search) throws Pending;
}
