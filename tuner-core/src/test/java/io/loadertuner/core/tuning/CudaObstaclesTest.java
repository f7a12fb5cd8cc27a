package io.loadertuner.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.space.LoaderConfig;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Studies whose facts are those of a dataset on a GPU; the loader is a formula, so that no GPU is needed. */
@NullUnmarked // an unexpected null fails the test where it is met
class CudaObstaclesTest {
    private static final Machine MACHINE = new Machine("host", "cpu", 2, null, 1L << 34, 1L << 33, 1L << 33, List.of());

    private final CalculatedLoader loader = new CalculatedLoader(config -> 100.0 * Math.max(1, config.numWorkers()));

    CudaObstaclesTest() {
        loader.device = "cuda:0";
    }

    @Test
    void cuda_used_before_fork() throws Exception {
        loader.datasetInitialisedCuda = true;

        StudyReport report = run("\"num_workers\": [0, 2]");

        assertThat(loader.measured).isNotEmpty().allMatch(config -> config.numWorkers() == 0);
        assertThat(report.recommendation().config().numWorkers()).isZero();
        assertThat(report.skipped())
                .isNotEmpty()
                .allMatch(skip -> skip.config().numWorkers() == 2)
                .allMatch(skip -> skip.reason().startsWith("building the dataset made a CUDA context")
                        && skip.reason().contains("\"multiprocessing_context\": \"spawn\""));
        assertThat(report.notes()).anyMatch(note -> note.startsWith("forked workers were not tried: building"));
        // Pinning is another matter: the samples are in host memory.
        assertThat(loader.measured).anyMatch(LoaderConfig::pinMemory);
    }

    @Test
    void spawnedWorkersAreTriedWhereForkedOnesCannotBe() throws Exception {
        loader.datasetInitialisedCuda = true;

        StudyReport report = run("\"num_workers\": [0, 2], \"multiprocessing_context\": \"spawn\"");

        assertThat(report.recommendation().config().numWorkers()).isEqualTo(2);
        assertThat(report.recommendation().config().multiprocessingContext()).isEqualTo("spawn");
        assertThat(report.notes()).noneMatch(note -> note.contains("forked"));
    }

    @Test
    void samples_already_on_the_gpu() throws Exception {
        loader.samplesOnGpu = true;

        StudyReport report = run("\"num_workers\": [0, 2], \"pin_memory\": [false, true]");

        assertThat(loader.measured)
                .isNotEmpty()
                .allMatch(config -> config.numWorkers() == 0)
                .noneMatch(LoaderConfig::pinMemory);
        assertThat(report.skipped()).isNotEmpty().allMatch(skip -> skip.reason().startsWith("samples lie on the GPU"));
        assertThat(report.notes())
                .anyMatch(note -> note.endsWith("pin_memory was not varied"))
                .anyMatch(note -> note.startsWith("forked workers were not tried: samples lie on the GPU"));
    }

    @Test
    void aFunctionToBatchesMayUseCudaAsItLikes() throws Exception {
        loader.kind = "batches";
        loader.samplesOnGpu = true;
        loader.datasetInitialisedCuda = true;

        StudyReport report = run("\"num_workers\": [0, 2]");

        assertThat(report.recommendation().config().numWorkers()).isEqualTo(2);
        assertThat(report.notes()).noneMatch(note -> note.contains("GPU") || note.contains("fork"));
    }

    @Test
    void whatAnIterableSaysOfItsLengthRulesNothingOut() throws Exception {
        loader.kind = "iterable";

        StudyReport report = run("\"num_workers\": [0, 2], \"batch_size\": [256, 1024]", 4);

        assertThat(report.skipped()).noneMatch(skip -> skip.reason().contains("samples"));
        assertThat(loader.measured).anyMatch(config -> config.batchSize() == 1024);
    }

    @Test
    void ranksHaveTheirShareOfCoresMemoryAndSamples() throws Exception {
        // 2 cores: at most 4 × 2 workers in all, 2 in each of 4 ranks. 1000 samples: 250 for each.
        StudyReport report = run("\"batch_size\": [200, 256]", 4);

        assertThat(loader.measured)
                .isNotEmpty()
                .allMatch(config -> config.numWorkers() <= 2)
                .allMatch(config -> config.batchSize() == 200);
        assertThat(report.skipped())
                .filteredOn(skip -> skip.config().batchSize() == 256)
                .isNotEmpty()
                .allMatch(skip -> skip.reason()
                        .equals("the dataset has 1000 samples, 250 for each of 4 ranks, fewer than one batch of 256"));
        assertThat(report.notes()).anyMatch(note -> note.startsWith("4 ranks"));
    }

    private StudyReport run(String space) throws Exception {
        return run(space, 1);
    }

    private StudyReport run(String space, int ranks) throws Exception {
        StudyRequest request = TunerJson.mapper()
                .readValue(
                        "{\"name\": \"a\", \"source\": {\"kind\": \"array\", \"path\": \"x\"}, \"ranks\": " + ranks
                                + ", \"space\": {" + space + "}}",
                        StudyRequest.class);
        return new Tuner(loader, () -> MACHINE, loader)
                .run("6f1d0a52-0001-4000-8000-000000000001", request, new MemoryJournal(), TuningListener.NONE);
    }
}
