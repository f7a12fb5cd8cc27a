package io.loadertuner.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineInspectorTest {

    /** Where nothing says less, the hosts have 8 CPUs and 32,779,292 KiB. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(textBlock = """
                    # recording                  , affinity, quota, usable, memory in bytes
                    v2-docker                    , 8       , 1.5  , 1.5   ,  4294967296
                    v2-nested                    , 8       , 2.5  , 2.5   ,  8589934592
                    v2-unlimited                 , 8       ,      , 8     , 33565995008
                    v2-kubernetes                , 8       , 0.5  , 0.5   ,  1610612736
                    v2-host-mount                , 8       , 3    , 3     ,  5368709120
                    v2-outside-namespace         , 8       , 7    , 7     ,  7516192768
                    v2-mount-above-namespace     , 8       , 2    , 2     ,  7516192768
                    v1-docker                    , 6       , 3.5  , 3.5   ,  2147483648
                    v1-unlimited                 , 8       ,      , 8     , 33565995008
                    v1-kubernetes                , 8       , 2    , 2     , 12884901888
                    hybrid                       , 8       , 0.5  , 0.5   ,  3221225472
                    systemd-service              , 8       , 4    , 4     ,  6442450944
                    no-cgroup                    , 4       ,      , 4     , 16694710272
                    affinity-narrower-than-quota , 3       , 6    , 3     , 33565995008
                    hot-plug-mask                , 2       ,      , 2     ,  4112084992
                    sandbox-without-status       , 3       ,      , 3     ,  2147483648
                    """)
    void usesTheTightestOfWhatTheMachineAndItsControlGroupsAllow(
            String recording, int affinityCores, @Nullable Double quotaCores, double usableCores, long memoryBytes) {
        Machine machine = RecordedMachine.inspect(recording);

        assertThat(machine.affinityCores()).isEqualTo(affinityCores);
        assertThat(machine.quotaCores()).isEqualTo(quotaCores);
        assertThat(machine.usableCores()).isEqualTo(usableCores);
        assertThat(machine.memoryBytes()).isEqualTo(memoryBytes);
    }

    @Test
    void namesAnArmProcessorByItsDesign() {
        assertThat(RecordedMachine.inspect("arm64").cpuModel()).isEqualTo("Arm Neoverse-V1");
    }

    @Test
    void describesAMachineWithGpus() {
        Machine machine = RecordedMachine.inspect("gpu-node");

        assertThat(machine.hostname()).isEqualTo("node-7");
        assertThat(machine.cpuModel()).isEqualTo("AMD EPYC 9654 96-Core Processor");
        assertThat(machine.sharedMemoryBytes()).isEqualTo(67_108_864);
        assertThat(machine.sharedMemoryFreeBytes()).isEqualTo(67_000_000);
        assertThat(machine.gpus())
                .containsExactly(
                        new Gpu("NVIDIA H200", 143_771L * 1_048_576, "GPU-6f1d2c3a-0f4b-4b7e-9f8e-0a1b2c3d4e5f"),
                        new Gpu("NVIDIA H200", 143_771L * 1_048_576, "GPU-71c5a9d0-5a53-4a5e-8a3f-8f0c1e2d3b4a"));
    }

    @Test
    void countsOnlyTheGpusThatCudaMayUse() {
        Machine machine = RecordedMachine.inspect("gpu-node", Map.of("CUDA_VISIBLE_DEVICES", "1"));

        assertThat(machine.gpus()).extracting(Gpu::uuid).containsExactly("GPU-71c5a9d0-5a53-4a5e-8a3f-8f0c1e2d3b4a");
    }

    @Test
    void answersEvenWhereNothingCanBeRead(@TempDir Path empty) {
        SharedMemory none = SharedMemory.at(empty.resolve("dev/shm"));

        Machine machine = new MachineInspector(empty, Map.of(), none, Optional::empty).inspect();

        assertThat(machine).isEqualTo(new Machine("unknown", "unknown", 1, null, 0, 0, 0, List.of()));
    }
}
