package io.loadertuner.core.diagnosis;

import java.util.Optional;

/** A sampler whose passes are all alike unless it is told their numbers. */
public final class RepeatedOrder {
    private RepeatedOrder() {}

    /**
     * @param sampler class of the user's own sampler
     * @param indices how many indices at the beginning of each pass were compared
     * @param repeats whether two passes were the same without a call of {@code set_epoch}
     * @param changesWithSetEpoch whether a pass was another one after it
     */
    public static Optional<Finding> of(String sampler, int indices, boolean repeats, boolean changesWithSetEpoch) {
        if (!repeats || !changesWithSetEpoch) {
            return Optional.empty();
        }
        return Optional.of(Finding.warning(
                "order_repeats",
                "%s gave the same %d indices at the beginning of two passes in a row, and others after set_epoch(1)"
                        .formatted(sampler, indices),
                "Call sampler.set_epoch(epoch) before each epoch; else every epoch has the order of the first. The"
                        + " tuner calls it for each pass."));
    }
}
