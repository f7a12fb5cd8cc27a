package io.loadertuner.core.loader.pytorch;

import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.LoaderFacts.SamplePart;
import io.loadertuner.core.loader.SampleOrder;
import io.loadertuner.core.loader.Symptoms.Waits;
import io.loadertuner.core.machine.Gpu;
import io.loadertuner.core.measure.WindowEdges;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What the probe answers; field by field as in {@code docs/probe.md}. */
final class ProbeMessages {
    /** The probe may say more than is used here. */
    static final JsonMapper JSON = TunerJson.mapper()
            .rebuild()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private ProbeMessages() {}

    record Opened(
            String python,
            String torch,
            String device,
            @Nullable Gpu gpu,
            @Nullable String startMethod,
            String kind,
            @Nullable Long length,
            double openSeconds,
            boolean datasetInitialisedCuda,
            @Nullable String batchSizeFrozenBy,
            int usableCpusBefore,
            int usableCpusAfter,
            int torchThreads,
            @Nullable Integer ompNumThreads,
            boolean inOrderAvailable) {}

    record Checked(
            @Nullable Long length,
            List<SamplePart> sample,
            @Nullable Long sampleBytes,
            @Nullable Long batchBytes,
            long batchSamples,
            @Nullable Double sampleSeconds,
            @Nullable Long processBytes,
            boolean samplesOnGpu,
            @Nullable SampleOrder order) {}

    record Memory(@Nullable Long pssBytes, @Nullable Long sharedMemoryBytes) {}

    record GpuUse(
            @Nullable Long memoryBytes,
            @Nullable Long pinnedBytes,
            @Nullable Double utilization) {}

    record Cpu(@Nullable Double ownCores, @Nullable Double foreignCores) {}

    record Round(
            double startupSeconds,
            double firstBatchSeconds,
            List<Long> arrivalsUs,
            WindowEdges window,
            long windowSamples,
            double waitSeconds,
            @Nullable Waits waits,
            @Nullable Copied copied,
            @Nullable Long pickledBytes,
            @Nullable Memory memory,
            @Nullable GpuUse gpu,
            @Nullable Cpu cpu,
            @Nullable String startMethod,
            @Nullable Long clockUs,
            @Nullable Long batchesPerPass) {}

    record Copied(long copiedBytes, long sharedBytes, int workers) {}

    record Examined(
            @Nullable Boolean randomNumbersRepeat,
            @Nullable Integer usableCpus,
            @Nullable Integer torchThreads) {}

    record Gap(@Nullable Double epochGapSeconds) {}

    record StepAlone(long steps, long samples, double seconds) {}

    record Stacks(List<ProcessStack> processes) {}

    /**
     * @param sleepsIn the kernel's function that the main thread sleeps in; null where that is not known
     */
    record ProcessStack(
            long pid, String role, String stack, @Nullable String sleepsIn) {}

    record Tidied(List<Leftover> left) {}

    record Failed(
            FailureReason reason,
            String message,
            @Nullable String exception,
            @Nullable String traceback,
            @Nullable String frame,
            @Nullable Map<String, Object> details) {}
}
