package io.loadertuner.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuInventoryTest {

    @TempDir
    Path root;

    @Test
    void readsUnlikeGpusInTheOrderOfTheirIndices() {
        String csv = "NVIDIA A100-SXM4-40GB, 40960, GPU-a\nTesla T4, 15360, GPU-b\n";

        assertThat(gpus(Optional.of(csv)))
                .containsExactly(
                        new Gpu("NVIDIA A100-SXM4-40GB", 42_949_672_960L, "GPU-a"),
                        new Gpu("Tesla T4", 16_106_127_360L, "GPU-b"));
    }

    @Test
    void leavesOpenTheMemoryThatTheDriverDoesNotTell() {
        assertThat(gpus(Optional.of("NVIDIA GB10, [N/A], GPU-a\nNVIDIA A30, [Insufficient Permissions], GPU-b")))
                .containsExactly(new Gpu("NVIDIA GB10", 0, "GPU-a"), new Gpu("NVIDIA A30", 0, "GPU-b"));
    }

    @Test
    void believesTheToolThatThereAreNone() throws IOException {
        driverKnows("0000:17:00.0", "Model: \t\t NVIDIA A30\n");

        assertThat(gpus(Optional.of("No devices were found\n"))).isEmpty();
        assertThat(gpus(Optional.of(""))).isEmpty();
    }

    @Test
    void asksTheDriverWhereTheToolDoesNotAnswer() throws IOException {
        driverKnows("0000:65:00.0", "Model: \t\t NVIDIA A30\nIRQ:   \t\t 16\nGPU UUID: \t GPU-????????-????\n");
        driverKnows("0000:17:00.0", "Model: \t\t NVIDIA A100-SXM4-40GB\nGPU UUID: \t GPU-a\nBus Type: \t PCIe\n");
        driverKnows("0000:99:00.0", "IRQ:   \t\t 16\n");

        assertThat(gpus(Optional.empty()))
                .containsExactly(new Gpu("NVIDIA A100-SXM4-40GB", 0, "GPU-a"), new Gpu("NVIDIA A30", 0, null));
    }

    @Test
    void findsNoneWithoutToolAndDriver() {
        assertThat(gpus(Optional.empty())).isEmpty();
    }

    private List<Gpu> gpus(Optional<String> answer) {
        return new GpuInventory(new SystemFiles(root), () -> answer).gpus();
    }

    /** Written here, as not every file system could check out these names. */
    private void driverKnows(String busLocation, String information) throws IOException {
        Path directory =
                Files.createDirectories(root.resolve("proc/driver/nvidia/gpus").resolve(busLocation));
        Files.writeString(directory.resolve("information"), information);
    }
}
