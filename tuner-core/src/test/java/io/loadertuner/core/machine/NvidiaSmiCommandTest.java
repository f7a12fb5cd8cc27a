package io.loadertuner.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class NvidiaSmiCommandTest {

    @Test
    void answersWhatTheToolPrints() {
        assertThat(run("echo 'NVIDIA A30, 24576, GPU-a'; echo warning >&2")).contains("NVIDIA A30, 24576, GPU-a\n");
    }

    @Test
    void takesTheStatusForNoDevicesAsAnAnswer() {
        assertThat(run("echo 'No devices were found'; exit 6")).contains("No devices were found\n");
    }

    @Test
    void doesNotAnswerWhereTheToolFailsOrIsAbsent() {
        assertThat(run("echo 'could not communicate with the NVIDIA driver'; exit 9"))
                .isEmpty();
        assertThat(new NvidiaSmiCommand(List.of("/nonexistent/nvidia-smi"), Duration.ofSeconds(5)).gpus())
                .isEmpty();
    }

    @Test
    @Timeout(30)
    void givesUpOnAToolThatHangs() {
        assertThat(new NvidiaSmiCommand(List.of("sleep", "60"), Duration.ofMillis(50)).gpus())
                .isEmpty();
    }

    @Test
    @Timeout(30)
    void doesNotWaitForWhatTheToolLeavesBehind() {
        assertThat(run("sleep 45 & echo 'NVIDIA A30, 24576, GPU-a'")).isPresent();
    }

    @Test
    void leavesAnInterruptedThreadInterrupted() {
        Thread.currentThread().interrupt();

        assertThat(new NvidiaSmiCommand(List.of("sleep", "60"), Duration.ofSeconds(60)).gpus())
                .isEmpty();
        assertThat(Thread.interrupted()).isTrue();
    }

    private static Optional<String> run(String script) {
        return new NvidiaSmiCommand(List.of("sh", "-c", script), Duration.ofSeconds(20)).gpus();
    }
}
