package io.loadertuner.core.study;

/**
 * Decides which config to measure next. Implementations are functions of the {@link SamplerView}: the same view always
 * gives the same proposal, so a study that was cut off goes on by showing the sampler what had been told.
 *
 * <p>The suite that every sampler passes is {@code SamplerKit}, published beside this library.
 */
public interface Sampler {

    /**
     * The next proposal.
     *
     * @return {@link Proposal.Measure} only of configs that are in the space, feasible, neither pending nor passed over, never
     *     failed, and, unless a repeat is meant, not told yet. A sampler that knows no phases asks with {@link Ask#first} and
     *     {@link Ask#repeat}; others cannot search under a {@link GuardedSearch}
     */
    Proposal propose(SamplerView view);
}
