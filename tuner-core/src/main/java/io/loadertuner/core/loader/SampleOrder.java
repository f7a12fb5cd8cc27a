package io.loadertuner.core.loader;

/**
 * How a sampler of the user's own that has {@code set_epoch} orders its passes.
 *
 * @param sampler its class
 * @param indices how many indices at the beginning of each pass were compared
 * @param repeats whether two passes without a call of {@code set_epoch} were the same
 * @param changesWithSetEpoch whether a pass after {@code set_epoch(1)} was another one
 */
public record SampleOrder(String sampler, int indices, boolean repeats, boolean changesWithSetEpoch) {}
