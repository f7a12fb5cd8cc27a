package io.loadertuner.core.model;

import static io.loadertuner.core.model.Models.BATCH;
import static io.loadertuner.core.model.Models.costing;
import static io.loadertuner.core.model.Models.on;
import static io.loadertuner.core.model.Models.workers;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ModelledMemoryTest {
    private static final double BATCH_BYTES = BATCH * 1_000;
    private static final double PROCESS_BYTES = 1e6;

    @Test
    void aFullQueueMustFitIntoSharedMemory() {
        ModelledMemory six = new ModelledMemory(6 * BATCH_BYTES, 1e12, PROCESS_BYTES);
        LoaderModel model = on(ModelledMachine.ideal(4).withMemory(six), costing(0.001, 0));

        assertThat(model.failure(workers(3, 2))).isEmpty();
        assertThat(model.failure(workers(7, 1))).contains(ModelledFailure.SHARED_MEMORY_EXHAUSTED);
        assertThat(model.run(workers(7, 1), ModelledLength.ofBatches(10), 1))
                .isEqualTo(new ModelledRun.Failed(ModelledFailure.SHARED_MEMORY_EXHAUSTED));
        assertThat(model.steadyRate(workers(7, 1))).isEmpty();
    }

    @Test
    void everyRankHasAQueue() {
        ModelledMemory six = new ModelledMemory(6 * BATCH_BYTES, 1e12, PROCESS_BYTES);
        LoaderModel model = on(ModelledMachine.ideal(4).withMemory(six).withRanks(2), costing(0.001, 0));

        assertThat(model.failure(workers(3, 1))).isEmpty();
        assertThat(model.failure(workers(2, 2))).contains(ModelledFailure.SHARED_MEMORY_EXHAUSTED);
    }

    @Test
    void processesAndBatchesMustFitIntoTheHost() {
        ModelledMemory host = new ModelledMemory(1e12, 4 * PROCESS_BYTES + 7 * BATCH_BYTES, PROCESS_BYTES);
        LoaderModel model = on(ModelledMachine.ideal(4).withMemory(host), costing(0.001, 0));

        assertThat(model.failure(workers(3, 2))).isEmpty();
        assertThat(model.failure(workers(3, 3))).contains(ModelledFailure.HOST_OUT_OF_MEMORY);
        assertThat(model.failure(workers(4, 1))).contains(ModelledFailure.HOST_OUT_OF_MEMORY);
    }

    @Test
    void failuresHaveTheNamesOfRealOnes() {
        assertThat(ModelledFailure.SHARED_MEMORY_EXHAUSTED.code()).isEqualTo("shared_memory_exhausted");
        assertThat(ModelledFailure.HOST_OUT_OF_MEMORY.code()).isEqualTo("host_out_of_memory");
    }
}
