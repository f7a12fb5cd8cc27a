package io.loadertuner.core.model;

/**
 * What loading costs, whoever does it.
 *
 * @param name for people
 * @param cpuSecondsPerSample work of one core
 * @param waitSecondsPerSample waiting for storage, without a core
 * @param bytesPerSample size of a sample as it is delivered, at least 0
 * @param collateSecondsPerBatch work of one core for putting a batch together, at least 0
 */
public record ModelledDataset(
        String name,
        SampleCost cpuSecondsPerSample,
        SampleCost waitSecondsPerSample,
        long bytesPerSample,
        double collateSecondsPerBatch) {

    public ModelledDataset {
        Bounds.notNegative("bytesPerSample", (double) bytesPerSample);
        Bounds.notNegative("collateSecondsPerBatch", collateSecondsPerBatch);
    }
}
