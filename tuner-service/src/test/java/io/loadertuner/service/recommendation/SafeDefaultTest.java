package io.loadertuner.service.recommendation;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.machine.Gpu;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.space.LoaderConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafeDefaultTest {
    @ParameterizedTest
    @CsvSource({"64,, 8", "8,, 8", "3,, 3", "16, 2.9, 2", "16, 0.5, 0"})
    void thereIsAWorkerForEachUsableCoreUpToEight(int cores, @Nullable Double quota, int workers) {
        LoaderConfig config = SafeDefault.on(machine(cores, quota, List.of()), 1);

        assertThat(config).isEqualTo(LoaderConfig.of(workers, 2, false, 32, true, null));
    }

    @Test
    void memoryIsPinnedOnlyForAGpu() {
        LoaderConfig config = SafeDefault.on(machine(4, null, List.of(new Gpu("NVIDIA H200", 0, null))), 1);

        assertThat(config.pinMemory()).isTrue();
        assertThat(config.nonBlocking()).isTrue();
    }

    private static Machine machine(int cores, @Nullable Double quota, List<Gpu> gpus) {
        return new Machine("host", "cpu", cores, quota, 0, 0, 0, gpus);
    }
}
