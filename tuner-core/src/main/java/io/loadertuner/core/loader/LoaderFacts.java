package io.loadertuner.core.loader;

import io.loadertuner.core.machine.Gpu;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found when the dataset was built and one sample and one batch were read.
 *
 * @param device where batches are delivered: {@code cpu}, {@code cuda:0}
 * @param gpu the device's GPU; null without CUDA
 * @param python version of the interpreter; null for a loader that has none
 * @param torch version of PyTorch; null for a loader that has none
 * @param startMethod how workers are started unless asked otherwise
 * @param kind {@code map}, {@code iterable} or {@code batches}
 * @param length samples in the dataset, as it says; null where it does not
 * @param sample the tensors and values of one sample
 * @param sampleBytes size of one sample; null where a batch is all that can be read
 * @param batchBytes size of the batch that was read; null if unknown
 * @param batchSamples samples in it
 * @param sampleSeconds time to read one sample, the first one
 * @param openSeconds time to build the dataset
 * @param datasetInitialisedCuda whether building the dataset made a CUDA context, which forked workers cannot use
 * @param processBytes memory of a process that has built the dataset and read a batch (proportional set size); null if
 *     unknown
 * @param samplesOnGpu whether samples lie on a GPU when they are read
 * @param order of a sampler of the user's own that has {@code set_epoch}; null without one
 * @param batchSizeFrozenBy what makes the batches in the user's own {@code DataLoader} instead of a batch size:
 *     {@code batch_sampler} or {@code batch_size=None}; null where the batch size can be chosen
 * @param runtime what the process that built it may use; null if unknown
 */
public record LoaderFacts(
        String device,
        @Nullable Gpu gpu,
        @Nullable String python,
        @Nullable String torch,
        @Nullable String startMethod,
        String kind,
        @Nullable Long length,
        List<SamplePart> sample,
        @Nullable Long sampleBytes,
        @Nullable Long batchBytes,
        long batchSamples,
        @Nullable Double sampleSeconds,
        double openSeconds,
        boolean datasetInitialisedCuda,
        @Nullable Long processBytes,
        boolean samplesOnGpu,
        @Nullable SampleOrder order,
        @Nullable String batchSizeFrozenBy,
        @Nullable ProcessFacts runtime) {

    /**
     * Processors, threads and features of the process that built the dataset.
     *
     * @param usableCpusBefore CPUs of its affinity mask before anything was imported
     * @param usableCpusAfter the same once the dataset was built
     * @param torchThreads threads that torch uses there
     * @param ompNumThreads value of {@code OMP_NUM_THREADS}; null where it is none
     * @param inOrderAvailable whether this torch's {@code DataLoader} has {@code in_order}
     */
    public record ProcessFacts(
            int usableCpusBefore,
            int usableCpusAfter,
            int torchThreads,
            @Nullable Integer ompNumThreads,
            boolean inOrderAvailable) {}

    /**
     * One leaf of a sample.
     *
     * @param path where in the sample it is: {@code 0}, {@code image}
     * @param shape lengths of a tensor's axes; empty for what is none
     * @param dtype element type of a tensor; null for what is none
     */
    public record SamplePart(
            String path,
            String type,
            List<Long> shape,
            @Nullable String dtype) {
        public SamplePart {
            shape = shape == null ? List.of() : List.copyOf(shape);
        }
    }

    /** Samples in a dataset that is read by index; null where nothing holds it to what it says. */
    public @Nullable Long indexedLength() {
        return kind.equals("map") ? length : null;
    }

    public boolean onGpu() {
        return device.startsWith("cuda");
    }
}
