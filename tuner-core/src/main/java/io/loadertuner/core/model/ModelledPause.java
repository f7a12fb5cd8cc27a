package io.loadertuner.core.model;

/**
 * A consumer that stops reading for a while.
 *
 * @param afterBatch index of the batch whose step is done when the pause begins, at least 0
 * @param seconds its length, above 0
 */
public record ModelledPause(int afterBatch, double seconds) {

    public ModelledPause {
        Bounds.notNegative("afterBatch", afterBatch);
        Bounds.positive("seconds", seconds);
    }
}
