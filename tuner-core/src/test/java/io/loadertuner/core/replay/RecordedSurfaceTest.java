package io.loadertuner.core.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Ask;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordedSurfaceTest {
    private static final List<String> LINES = List.of(
            "dataset,num_workers,prefetch_factor,batch_size,samples_per_second,trial_overhead_seconds,failure",
            "a,0,0,32,500,0.25,",
            "a,2,2,32,800,1.5,",
            "a,4,2,64,,2.0,shared_memory_exhausted",
            "b,0,0,16,9,0.1,");

    private final RecordedSurface surface = RecordedSurface.read(LINES, "a");

    @Test
    void each_config_has_what_its_line_says() {
        assertThat(surface.samplesPerSecond(config(0, 32))).isEqualTo(500);
        assertThat(surface.overheadSeconds(config(2, 32))).isEqualTo(1.5);
        assertThat(surface.failure(config(4, 64))).hasValue("shared_memory_exhausted");
        assertThat(surface.failure(config(2, 32))).isEmpty();
        assertThat(surface.stepSamplesPerSecond(config(0, 32))).isEmpty();
    }

    @Test
    void its_space_holds_every_config_and_gaps_fail_by_name() {
        assertThat(surface.space().numWorkers()).containsExactly(0, 2, 4);
        assertThat(surface.space().prefetchFactor()).containsExactly(2);
        assertThat(surface.space().batchSize()).containsExactly(32, 64);
        assertThat(surface.failure(config(4, 32))).hasValue(RecordedSurface.NOT_RECORDED);
    }

    @Test
    void each_config_has_the_noise_that_its_line_tells() {
        String header = "dataset,num_workers,prefetch_factor,batch_size,samples_per_second,rounds,log_rate_deviation";

        RecordedSurface noisy = RecordedSurface.read(List.of(header, "a,0,0,32,500,5,0.04", "a,2,2,32,800,1,"), "a");

        assertThat(noisy.recordedNoise(config(0, 32))).hasValue(new RecordedNoise(0.04, 5));
        assertThat(noisy.recordedNoise(config(2, 32))).isEmpty();
        assertThat(noisy.recordedNoise(config(4, 32))).isEmpty();
        assertThat(surface.recordedNoise(config(0, 32))).as("no such columns").isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordedSurface.read(List.of(header, "a,0,0,32,500,5,-0.04"), "a"))
                .withMessageContaining("line 2: a deviation is at least 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordedSurface.read(List.of(header, "a,0,0,32,500,,0.04"), "a"))
                .withMessage("line 2 has no rounds");
    }

    @Test
    void what_cannot_be_read_is_refused_with_its_line() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordedSurface.read(LINES, "c"))
                .withMessageContaining("'c'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordedSurface.read(List.of(LINES.get(0), "a,0,0,many,1,1,"), "a"))
                .withMessage("line 2: batch_size must be a number, but is 'many'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordedSurface.read(List.of(LINES.get(0), "a,0,0,32,,1,"), "a"))
                .withMessage("line 2 has no samples_per_second");
    }

    @Test
    void without_noise_a_round_gives_the_truth_and_takes_warm_up_window_and_overhead() {
        ReplayedMachine machine = new ReplayedMachine(surface, NoiseProfile.NONE, 1);

        // 32 / 500 = 0.064 s a batch. 0.25 s of overhead; 24 batches until 1.5 s of warm-up are over (23 take 1.472 s);
        // 16
        // batches until a second is (15 take 0.96 s).
        assertThat(machine.measure(Ask.first(config(0, 32)))).satisfies(seen -> {
            assertThat(seen.samplesPerSecond()).isEqualTo(500);
            assertThat(seen.costSeconds()).isCloseTo(0.25 + (24 + 16) * 0.064, within(1e-9));
        });
        // 2 × 32 / 800 = 0.08 s a cycle. 1.5 s of overhead; 7 cycles until 0.5 s of warm-up are over (6 take 0.48 s);
        // 13
        // cycles until a second is (12 take 0.96 s).
        assertThat(machine.measure(Ask.first(config(2, 32))).elapsedSeconds())
                .isCloseTo(0.25 + (24 + 16) * 0.064 + 1.5 + (7 + 13) * 0.08, within(1e-9));
        assertThat(machine.measure(Ask.first(config(4, 64))).failure()).isEqualTo("shared_memory_exhausted");
    }

    private static LoaderConfig config(int workers, int batch) {
        return LoaderConfig.of(workers, 2, false, batch, true, null);
    }
}
