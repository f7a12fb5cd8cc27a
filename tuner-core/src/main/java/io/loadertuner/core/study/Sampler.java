package io.loadertuner.core.study;

import java.util.List;

/** Decides what to measure next. */
public interface Sampler {

    /**
     * Where the search stands. The same history always gives the same answer.
     *
     * @param history every observation so far, oldest first
     */
    SearchState after(List<Observation> history);
}
