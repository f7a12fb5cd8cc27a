package io.loadertuner.core.study;

import java.util.List;

/** A whole search, from its first ask to its conclusion, as a function of what has been observed. */
public interface SearchProcedure {

    /**
     * Where the search stands. The same history always gives the same answer.
     *
     * @param history every observation so far, oldest first
     */
    SearchState after(List<Observation> history);
}
