package io.loadertuner.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Compares with what other programs find on the machine that the tests run on. */
@EnabledOnOs(OS.LINUX)
class LiveMachineTest {

    private final Machine machine = MachineInspector.live().inspect();

    @Test
    void hasTheAffinityThatPythonSees() throws Exception {
        assertThat(machine.affinityCores()).isEqualTo((int) python("len(os.sched_getaffinity(0))"));
    }

    /** Newer versions of nproc regard a quota, in their own rounding. */
    @Test
    void hasTheCoresThatNprocSees() throws Exception {
        int nproc = Integer.parseInt(output("nproc").orElseThrow());

        assertThat(nproc).isBetween((int) Math.max(1, Math.floor(machine.usableCores())), machine.affinityCores());
        assertThat(machine.usableCores()).isPositive().isLessThanOrEqualTo(machine.affinityCores());
    }

    @Test
    void hasNoMoreMemoryThanPythonSees() throws Exception {
        assertThat(machine.memoryBytes())
                .isPositive()
                .isLessThanOrEqualTo(python("os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE')"));
    }

    @Test
    void hasTheSharedMemoryThatPythonSees() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/dev/shm")), "there is no /dev/shm");

        assertThat(machine.sharedMemoryBytes())
                .isEqualTo(python("(lambda s: s.f_blocks * s.f_frsize)(os.statvfs('/dev/shm'))"));
        assertThat(machine.sharedMemoryFreeBytes()).isBetween(0L, machine.sharedMemoryBytes());
    }

    @Test
    void hasATypeThatStaysTheSame() {
        assertThat(MachineType.of(MachineInspector.live().inspect())).isEqualTo(MachineType.of(machine));
    }

    @Test
    void hasNoGpuWhereCudaMaySeeNone() {
        assertThat(MachineInspector.live(Map.of("CUDA_VISIBLE_DEVICES", ""))
                        .inspect()
                        .gpus())
                .isEmpty();
    }

    private static long python(String expression) throws Exception {
        Optional<String> answer = output("python3", "-c", "import os; print(" + expression + ")");
        assumeTrue(answer.isPresent(), "there is no python3");
        return Long.parseLong(answer.orElseThrow());
    }

    private static Optional<String> output(String... command) throws InterruptedException {
        try {
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().keySet().removeIf(name -> name.startsWith("OMP_"));
            Process process = builder.start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? Optional.of(output.strip()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
