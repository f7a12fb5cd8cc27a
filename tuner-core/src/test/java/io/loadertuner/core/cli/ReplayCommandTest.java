package io.loadertuner.core.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.json.TunerJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ReplayCommandTest {
    private static final String HEADER =
            "dataset,num_workers,prefetch_factor,batch_size,samples_per_second,trial_overhead_seconds\n";
    private static final String SURFACE = HEADER + "rows,0,0,64,1000,0.5\nrows,2,2,64,4000,0.5\n";

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

    /**
     * Without noise every study is the same. A round of the baseline takes 0.5 s of overhead, 24 batches of 64 ms to warm
     * up and 16 to measure: 3.06 s; one of two workers 0.5 s, 16 and 32 cycles of 32 ms: 2.036 s.
     */
    @ParameterizedTest
    @CsvSource({
        // Three rounds of the baseline, below two minutes two; one setting at a time looks at 0 workers once more.
        "one_at_a_time, 12.24, 9.18",
        "genetic, 9.18, 6.12",
        "random, 9.18, 6.12",
        "grid, 9.18, 6.12"
    })
    void whatABudgetLeavesNoRoomForIsRegretted(String sampler, String seconds, String secondsOfAMinute)
            throws IOException {
        // Nothing but the baseline may be tried, which is a quarter of the best.
        assertThat(table(sampler, 300, 1))
                .contains(
                        "200 replayed studies, simulated noise over recorded: rows; 2 configs",
                        "p10 median p90 p95",
                        "regret % 75.00 75.00 75.00 75.00",
                        "seconds " + String.join(" ", Collections.nCopies(4, seconds)),
                        "trials 1.00 1.00 1.00 1.00");
        assertThat(table(sampler, 60, 1))
                .contains(
                        "regret % 75.00 75.00 75.00 75.00",
                        "seconds " + String.join(" ", Collections.nCopies(4, secondsOfAMinute)));
        // One round of each: another of both would take until 10.19 s.
        assertThat(table(sampler, 10, 60))
                .contains(
                        "regret % 75.00 75.00 75.00 75.00",
                        "seconds 5.10 5.10 5.10 5.10", "trials 2.00 2.00 2.00 2.00");
    }

    @ParameterizedTest
    @CsvSource({
        "one_at_a_time",
        "genetic",
        "random",
        "grid",
    })
    void withinItsBudgetEverySamplerFindsTheBestOfTwo(String sampler) throws IOException {
        assertThat(table(sampler, 60, 60))
                .contains("regret % 0.00 0.00 0.00 0.00", "trials 2.00 2.00 2.00 2.00")
                .anyMatch(line -> line.startsWith("best is 300.0 % above the baseline; baseline left 100.0 %;"));

        JsonNode noisy = figures(SURFACE, "--sampler=" + sampler, "--budget=60", "--noise=shared", "--repeats=20");

        // The last round begins in time and takes about 3.06 s, where the machine is slow some tenths more.
        assertThat(noisy.get("seconds").get("p95").asDouble()).isLessThan(60 + 3.06 + 1);
    }

    /** Of three configs two may be tried: the baseline, and by chance the best or one half as fast. */
    @Test
    void quantilesAreOverTheStudies() throws IOException {
        JsonNode figures = figures(
                HEADER + "rows,0,0,64,1000,0.5\nrows,1,2,64,2000,0.5\nrows,2,2,64,4000,0.5\n",
                "--sampler=random",
                "--trials=2",
                "--noise=none",
                "--repeats=200");

        assertThat(figures.get("studies").asInt()).isEqualTo(200);
        assertThat(figures.get("regret_percent").get("p10").asDouble()).isZero();
        assertThat(figures.get("regret_percent").get("p90").asDouble()).isCloseTo(50, within(1e-9));
        assertThat(figures.get("regret_percent").get("p95").asDouble()).isCloseTo(50, within(1e-9));
        assertThat(figures.get("trials").get("p10").asDouble()).isEqualTo(2);
        assertThat(figures.get("trials").get("p95").asDouble()).isEqualTo(2);
        assertThat(figures.get("left_baseline").asDouble()).isEqualTo(1);
    }

    @Test
    void recordedNoiseIsReplayedUnlessAnotherIsAskedFor() throws IOException {
        String surface = HEADER.strip() + ",rounds,log_rate_deviation\n"
                + "rows,0,0,64,1000,0.5,1000000,0\nrows,2,2,64,1050,0.5,1000000,0\n";

        JsonNode asRecorded = figures(surface, "--repeats=20");
        JsonNode shared = figures(surface, "--repeats=20", "--noise=shared");

        // Without noise of their own 5 % show; in that of shared cores they often do not.
        assertThat(asRecorded.get("left_baseline").asDouble()).isEqualTo(1);
        assertThat(shared.get("left_baseline").asDouble()).isLessThan(0.9);
    }

    private JsonNode figures(String surface, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("surface.csv"), surface);
        List<String> arguments =
                new ArrayList<>(List.of("replay", file.toString(), "--dataset=rows", "--baseline=0,0,64", "--json"));
        arguments.addAll(List.of(options));
        Terminal own = new Terminal();
        assertThat(own.run(arguments.toArray(String[]::new))).as(own.err()).isZero();
        return TunerJson.mapper().readTree(own.out());
    }

    /** The lines printed, with one blank between their words. */
    private List<String> table(String sampler, int budget, int trials) throws IOException {
        Path file = Files.writeString(folder.resolve("surface.csv"), SURFACE);
        Terminal own = new Terminal();
        assertThat(own.run(
                        "replay",
                        file.toString(),
                        "--dataset=rows",
                        "--baseline=0,0,64",
                        "--sampler=" + sampler,
                        "--budget=" + budget,
                        "--trials=" + trials,
                        "--noise=none",
                        "--repeats=200"))
                .as(own.err())
                .isZero();
        return own.out().lines().map(line -> line.replaceAll(" +", " ").strip()).toList();
    }

    @Test
    void aSurfaceThatLeavesNothingToFindIsRefused() throws IOException {
        Path file = Files.writeString(
                folder.resolve("surface.csv"),
                HEADER.strip() + ",failure\nrows,0,0,64,,0.5,worker_crashed\nrows,2,2,64,,0.5,worker_crashed\n");

        assertThat(terminal.run("replay", file.toString(), "--dataset=rows", "--baseline=0,0,64"))
                .isEqualTo(2);
        assertThat(terminal.err()).contains("no config of the space works");
        assertThat(terminal.run("replay", file.toString(), "--dataset=rows", "--baseline=4,2,64"))
                .isEqualTo(2);
        assertThat(terminal.err()).contains("--baseline: the surface has no line of 4 workers, prefetch 2, batch 64");
        assertThat(terminal.run("replay", file.toString(), "--dataset=photos", "--baseline=0,0,64"))
                .isEqualTo(2);
        assertThat(terminal.err()).contains("the surface has no line of the dataset 'photos'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--baseline=0,0,32 | either SURFACE or --model is needed",
                "--baseline=0,0,32 --model=fast --num-workers=0 | --model must be one of cpu_bound",
                "--baseline=0,0,32 --model=cpu_bound --cores=8 | a model needs --num-workers",
                "--baseline=0,0,32 --model=cpu_bound --cores=2 --num-workers=0 | cores must be 8 to 128",
                "--baseline=0,0,32 --model=cpu_bound --cores=8 --num-workers=0 --budget=9 | --budget must be from 10",
                "--baseline=0,0,32 --model=cpu_bound --cores=8 --num-workers=0 --trials=0 | --trials must be from 1",
                "--baseline=0,0,32 --model=cpu_bound --cores=8 --num-workers=0 --repeats=0 | --repeats must be at least 1",
                "--baseline=0,0,32 --model=cpu_bound --cores=8 --num-workers=0 --sampler=tpe | --sampler must be one of",
                "--baseline=0,0,32 --model=cpu_bound --cores=8 --num-workers=0 --noise=loud | --noise must be recorded,",
                "--baseline=2,2,32,9 --model=cpu_bound --cores=8 --num-workers=2 | --baseline must be three numbers",
                "--baseline=2,2,32 --baseline-below=0.1 --model=cpu_bound --cores=8 --num-workers=2 | is not in the space",
            })
    void whatDoesNotGoTogetherIsRefused(String arguments, String problem) {
        assertThat(terminal.run(("replay " + arguments).split(" "))).isEqualTo(2);
        assertThat(terminal.err()).contains(problem).doesNotContain("Exception");
    }
}
