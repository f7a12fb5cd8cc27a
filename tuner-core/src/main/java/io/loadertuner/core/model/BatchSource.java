package io.loadertuner.core.model;

/** Where a training process gets its batches from. */
interface BatchSource {

    /** Calls {@code then} when the next batch, in order, is in the training process. */
    void next(Runnable then);
}
