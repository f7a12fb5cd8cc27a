package io.loadertuner.core.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.loader.pytorch.TimeLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class TuneCommandTest {
    @TempDir
    Path folder;

    private final Terminal terminal = new Terminal();

    @Test
    void aMissingFileIsNamed() {
        assertThat(terminal.run("tune", "no-such-file.json")).isEqualTo(2);
        assertThat(terminal.err()).contains("there is no file no-such-file.json");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"name\": \"a\"}                                                            | source: is missing",
                "{\"source\": {\"kind\": \"synthetic\", \"samples\": 5}}                      | name: is missing",
                "{\"name\": \"a\", \"source\": {\"kind\": \"synthetic\"}}                     | samples: must be from"
                        + " 1",
                "{\"name\": \"a\", \"source\": {\"kind\": \"image_folder\"}}                  | path: is missing",
                "{\"name\": \"a\", \"source\": {\"kind\": \"python\", \"factory\": \"x\"}}    |"
                        + " package.module:function",
                "{\"name\": \"a\", \"colour\": 1, \"source\": {\"kind\": \"array\", \"path\": \"x\"}} | colour",
                "{\"name\": \"a\", \"source\": {\"kind\": \"array\", \"path\": \"x\"}, \"ranks\": 65} | ranks: must be"
                        + " from 1 to 64",
                "{\"name\": \"a\", \"source\": {\"kind\": \"array\", \"path\": \"x\"}, \"sampler\": \"best\"} |"
                        + " sampler: must be one of one_at_a_time, genetic, random, grid",
                "{\"name\": \"a\", \"source\": {\"kind\": \"array\", \"path\": \"x\"}, \"budget\": {\"seconds\": 1}} |"
                        + " seconds: must be from 10",
                "{\"name\": \"a\", \"source\": {\"kind\": \"array\", \"path\": \"x\"}, \"baseline\": {\"num_workers\":"
                        + " 0, \"prefetch_factor\": 2}} | baseline.prefetch_factor",
                "{\"name\": \"a\", \"source\": {\"kind\": \"array\", \"path\": \"x\"}, \"space\": {\"num_workers\":"
                        + " {\"min\": 3, \"max\": 1}}} | space",
                "{\"name\": \"a\", \"source\": {\"kind\": \"array\", \"path\": \"x\"}, \"space\": {\"batch_size\":"
                        + " [0]}} | space.batch_size",
                "{\"name\": \"a\", \"name\": \"b\"}                                           | name",
                "{\"name\": \"a\",                                                            | end-of-input",
            })
    void whatCannotBeAcceptedIsRefusedBeforeAnythingRuns(String json, String problem) throws IOException {
        Path file = Files.writeString(folder.resolve("descriptor.json"), json);

        assertThat(terminal.run("tune", file.toString())).isEqualTo(2);
        assertThat(terminal.err()).contains(problem).doesNotContain("Exception").doesNotContain("io.loadertuner");
    }

    @ParameterizedTest
    @CsvSource({
        "--open-limit, 0.5",
        "--startup-limit, 3601",
        "--batch-limit, -1",
        "--round-limit, NaN",
        "--teardown-limit, 0"
    })
    void aLimitOutOfBoundsIsRefusedByItsName(String option, String seconds) throws IOException {
        Path file = Files.writeString(
                folder.resolve("descriptor.json"),
                "{\"name\": \"a\", \"source\": {\"kind\": \"synthetic\", \"samples\": 5}}");

        assertThat(terminal.run("tune", file.toString(), option, seconds)).isEqualTo(2);
        assertThat(terminal.err()).contains(option + " must be from 1 to 3600 seconds");
    }

    @Test
    void limitsAreThoseOfTheOptionsAndARoundMayLastABatchLongerThanUsual() {
        LimitOptions none = new LimitOptions();
        LimitOptions some = new LimitOptions();
        new CommandLine(CommandLine.Model.CommandSpec.create()
                        .addMixin("limits", CommandLine.Model.CommandSpec.forAnnotatedObject(some)))
                .parseArgs("--open-limit", "1", "--startup-limit=2.5", "--batch-limit=40", "--teardown-limit=3600");

        assertThat(none.timeLimits().round()).isEqualTo(Duration.ofSeconds(210));
        assertThat(some.timeLimits())
                .isEqualTo(new TimeLimits(
                        Duration.ofSeconds(1),
                        Duration.ofMillis(2500),
                        Duration.ofSeconds(40),
                        Duration.ofSeconds(220),
                        Duration.ofSeconds(3600)));
    }

    @Test
    void anInterpreterThatDoesNotExistFailsTheStudyWithItsName() throws IOException {
        Path file = Files.writeString(
                folder.resolve("descriptor.json"),
                "{\"name\": \"a\", \"source\": {\"kind\": \"synthetic\", \"samples\": 5}}");

        Path surface = folder.resolve("surface.csv");

        assertThat(terminal.run(
                        "tune", file.toString(), "--python", "/no/such/python", "--surface", surface.toString()))
                .isEqualTo(1);
        assertThat(terminal.out()).contains("failed: environment_error").contains("/no/such/python");
        assertThat(surface)
                .as("nothing was measured")
                .content()
                .startsWith("dataset,num_workers")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource({"no/such/folder/surface.csv, 'there is no folder for '", "'', ''"})
    void aSurfaceThatCannotBeWrittenIsOneSentenceAfterTheAnswer(String place, String problem) throws IOException {
        Path file = Files.writeString(
                folder.resolve("descriptor.json"),
                "{\"name\": \"a\", \"source\": {\"kind\": \"synthetic\", \"samples\": 5}}");
        String surface = folder.resolve(place).toString();

        assertThat(terminal.run("tune", file.toString(), "--python", "/no/such/python", "--surface", surface))
                .isEqualTo(1);
        assertThat(terminal.out()).contains("failed: environment_error").contains("/no/such/python");
        assertThat(terminal.err().lines())
                .last()
                .asString()
                .startsWith("the surface was not written: " + problem + surface);
        assertThat(terminal.err()).doesNotContain("Exception").doesNotContain("io.loadertuner");
    }
}
