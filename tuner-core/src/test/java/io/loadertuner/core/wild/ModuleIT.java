package io.loadertuner.core.wild;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.study.TrialState;
import io.loadertuner.core.tuning.StudyReport;
import io.loadertuner.core.tuning.StudyState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Code of the user's that runs when it is imported. */
@Execution(ExecutionMode.CONCURRENT)
class ModuleIT {
    private static final String SPAWNED = """
            "space": {"num_workers": [0, 1], "prefetch_factor": [2], "batch_size": [8],
                      "multiprocessing_context": "spawn"},
            "budget": {"seconds": 200}
            """;

    @TempDir
    Path folder;

    @Test
    void a_module_without_a_main_guard() throws Exception {
        Path notes = Files.createDirectory(folder.resolve("notes"));

        WildStudy study = study(notes, false);

        study.assertGoesOnWithoutWorkers();
        assertThat(study.withWorkers(1).state()).isEqualTo(TrialState.COMPLETE);
        // Two probes and at least one worker: each ran the module, and none a second time.
        assertThat(runs(notes)).hasSizeGreaterThanOrEqualTo(3).doesNotHaveDuplicates();
    }

    @Test
    void aModuleThatTrainsWhenItIsImportedIsToldOfTheGuard() throws Exception {
        StudyReport report =
                study(Files.createDirectory(folder.resolve("notes")), true).report();

        assertThat(report.state()).isEqualTo(StudyState.FAILED);
        TrialFailure failure = Objects.requireNonNull(report.failure());
        assertThat(failure.reason()).isEqualTo(FailureReason.IMPORT_ERROR);
        assertThat(failure.message()).contains("module wild_unguarded cannot be imported");
        assertThat(failure.advice()).contains("if __name__ == \"__main__\"");
    }

    private WildStudy study(Path notes, boolean trains) throws Exception {
        Path python = Files.writeString(
                folder.resolve("python"), """
                #!/bin/sh
                export WILD_NOTES=%s WILD_TRAINS=%s
                exec %s "$@"
                """.formatted(notes, trains ? "yes" : "no", WildStudy.PYTHON));
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwxr-xr-x"));
        return WildStudy.unhurried("wild_unguarded:numbers", "{}", SPAWNED, WildStudy.LIMITS, python);
    }

    private static List<String> runs(Path notes) throws IOException {
        try (Stream<Path> files = Files.list(notes)) {
            return files.map(file -> String.valueOf(file.getFileName()).split("-", -1)[1])
                    .toList();
        }
    }
}
