package io.loadertuner.core.loader;

import io.loadertuner.core.dataset.DatasetDescriptor;

/** Something that loads batches and can be tuned. */
public interface Loader {

    /**
     * Builds the dataset, in processes of the session's own.
     *
     * @param seed of the order in which samples are read
     * @throws TrialFailedException if it cannot be built; nothing is left behind then
     */
    LoaderSession open(DatasetDescriptor descriptor, long seed) throws TrialFailedException, InterruptedException;
}
