package io.loadertuner.core.loader.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoverTest {

    @Test
    void aProcessIsThereWhileItRunsAndBearsItsName() throws Exception {
        Process sleeping = new ProcessBuilder("sleep", "600").start();
        try {
            assertThat(process(sleeping.pid(), "sleep").isThere()).isTrue();
            assertThat(process(sleeping.pid(), "python3").isThere())
                    .as("another process under the same number")
                    .isFalse();
        } finally {
            sleeping.destroyForcibly().waitFor();
        }
        assertThat(process(sleeping.pid(), "sleep").isThere()).isFalse();
    }

    @Test
    void aProcessThatHasEndedIsNotThereThoughNobodyHasWaitedForIt() throws Exception {
        // The shell's place is taken by a program that never waits for its child.
        Process parent = new ProcessBuilder("sh", "-c", "sleep 0 & echo $!; exec sleep 600").start();
        try (BufferedReader lines = parent.inputReader()) {
            long child = Long.parseLong(lines.readLine());
            while (!Files.readString(Path.of("/proc/" + child + "/stat")).contains("(sleep) Z")) {
                TimeUnit.MILLISECONDS.sleep(5);
            }

            assertThat(ProcessHandle.of(child)).isPresent();
            assertThat(Leftover.isAlive(ProcessHandle.of(child).orElseThrow())).isFalse();
            assertThat(Leftover.isAlive(parent.toHandle())).isTrue();
            assertThat(process(child, "sleep").isThere()).isFalse();
        } finally {
            parent.destroyForcibly().waitFor();
        }
    }

    @Test
    void aFileIsThereUntilItIsRemoved(@TempDir Path folder) throws Exception {
        Path segment = Files.createFile(folder.resolve("segment"));
        Leftover leftover = new Leftover(null, null, null, segment.toString());

        assertThat(leftover.isThere()).isTrue();
        Files.delete(segment);
        assertThat(leftover.isThere()).isFalse();
    }

    private static Leftover process(long pid, String name) {
        return new Leftover(pid, name, "D", null);
    }
}
