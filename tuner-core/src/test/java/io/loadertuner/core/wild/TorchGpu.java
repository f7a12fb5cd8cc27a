package io.loadertuner.core.wild;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the tests' interpreter sees of GPUs. */
final class TorchGpu {
    private TorchGpu() {}

    /** Skips the test where torch finds no GPU. */
    static void assume() throws Exception {
        assumeTrue(count() > 0, "no GPU");
    }

    static int count() throws IOException, InterruptedException {
        if (!Files.exists(Path.of("/dev/nvidiactl"))) {
            return 0;
        }
        return Integer.parseInt(
                answer(WildStudy.PYTHON.toString(), "-c", "import torch; print(torch.cuda.device_count())")
                        .strip());
    }

    /** Lines of {@code pid, uuid} of the processes that hold a context, as {@code nvidia-smi} tells them. */
    static String contexts() throws IOException, InterruptedException {
        return answer("nvidia-smi", "--query-compute-apps=pid,gpu_uuid", "--format=csv,noheader");
    }

    private static String answer(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + answer);
        }
        return answer;
    }
}
