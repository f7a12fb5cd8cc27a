package io.loadertuner.core.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.json.TunerJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayCommandTest {
    private static final String SURFACE = "dataset,num_workers,prefetch_factor,batch_size,samples_per_second,"
            + "trial_overhead_seconds\nrows,0,0,64,1000,0.5\nrows,2,2,64,4000,0.5\n";

    @TempDir
    Path folder;

    private final Terminal terminal = new Terminal();

    @Test
    void aModelIsNamedAsOne() {
        assertThat(terminal.run(
                        "replay",
                        "--model=cpu_bound",
                        "--cores=8",
                        "--num-workers=0,8",
                        "--prefetch-factor=2",
                        "--batch-size=32",
                        "--baseline=0,0,32",
                        "--noise=none",
                        "--repeats=1"))
                .isZero();
        assertThat(terminal.out())
                .contains("1 replayed studies, simulated noise over a model, not a machine: cpu_bound, 8 cores, 1 GPUs;"
                        + " 4 configs");
    }

    @Test
    void aRecordingIsReplayedFromAMadeUpBaseline() throws IOException {
        Path file = Files.writeString(folder.resolve("surface.csv"), SURFACE);

        assertThat(terminal.run(
                        "replay",
                        file.toString(),
                        "--dataset=rows",
                        "--baseline=2,3,64",
                        "--baseline-below=0.5",
                        "--noise=none",
                        "--repeats=2",
                        "--json"))
                .isZero();
        var figures = TunerJson.mapper().readTree(terminal.out());
        assertThat(figures.get("truth").asString()).isEqualTo("recorded: rows, with a made-up baseline");
        assertThat(figures.get("available_gain_percent").asDouble()).isEqualTo(100);
        assertThat(figures.get("half_of_gain").asDouble()).isEqualTo(1);
        // Overhead, then whole cycles of at least 1.5 s of warm-up without workers, 0.5 s with, and 1 s of window:
        // 24 and 16 batches of 64 ms without workers; 16 and 32 cycles of 32 ms with two.
        assertThat(figures.get("exhaustive_seconds").asDouble())
                .isCloseTo(0.5 + 1.536 + 1.024 + 0.5 + 0.512 + 1.024, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--baseline=0,0,32 | either SURFACE or --model is needed",
                "--baseline=0,0,32 --model=fast --num-workers=0 | --model must be one of cpu_bound",
                "--baseline=0,0,32 --model=cpu_bound --cores=8 | a model needs --num-workers",
                "--baseline=0,0,32 --model=cpu_bound --cores=2 --num-workers=0 | cores must be 8 to 128",
                "--baseline=2,2,32,9 --model=cpu_bound --cores=8 --num-workers=2 | --baseline must be three numbers",
                "--baseline=2,2,32 --baseline-below=0.1 --model=cpu_bound --cores=8 --num-workers=2 | is not in the space",
            })
    void whatDoesNotGoTogetherIsRefused(String arguments, String problem) {
        assertThat(terminal.run(("replay " + arguments).split(" "))).isEqualTo(2);
        assertThat(terminal.err()).contains(problem).doesNotContain("Exception");
    }
}
