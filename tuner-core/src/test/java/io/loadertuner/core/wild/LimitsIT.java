package io.loadertuner.core.wild;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Limits of the operating system that loading runs into, each real and around the loading processes only. */
@Execution(ExecutionMode.CONCURRENT)
class LimitsIT {
    private static final String NONE_OR_TWO = """
            "space": {"num_workers": [0, 2], "prefetch_factor": [2], "batch_size": [8]}, "budget": {"seconds": 200}
            """;

    /** The search thinks a round of sixteen dear. */
    private static final String NONE_OR_SIXTEEN = """
            "space": {"num_workers": [0, 16], "prefetch_factor": [2], "batch_size": [8]}, "budget": {"seconds": 400}
            """;

    private static final long MEBIBYTE = 1 << 20;

    /** A user that nobody else is, so that only what the test starts counts. */
    private static final int USER = 64_123;

    @TempDir
    Path folder;

    @Test
    void shared_memory_exhausted() throws Exception {
        Path python = confined(
                "exec unshare -m sh -c 'mount -t tmpfs -o size=4m tmpfs /dev/shm && exec \"$@\"' sh %s \"$@\"");
        assumeTrue(runs(python), "this machine allows no mount namespace, which a small /dev/shm needs");

        TrialFailure failure = study("Large", NONE_OR_TWO, python).survivedFailureOf(2);

        assertThat(failure.reason()).isEqualTo(FailureReason.SHARED_MEMORY_EXHAUSTED);
        // 2 workers × 2 batches × 8 samples of 2 MiB
        assertThat(failure.details())
                .containsEntry("shared_memory_estimate_bytes", 64 * MEBIBYTE)
                .hasEntrySatisfying(
                        "shared_memory_size_bytes",
                        size -> assertThat(((Number) size).longValue()).isEqualTo(4 * MEBIBYTE))
                .hasEntrySatisfying(
                        "shared_memory_free_bytes",
                        free -> assertThat(((Number) free).longValue()).isBetween(0L, 4 * MEBIBYTE));
        assertThat(failure.advice()).contains("/dev/shm", "--shm-size", "fewer workers");
    }

    @Test
    void too_many_open_files() throws Exception {
        Path python = confined("ulimit -n 100; exec %s \"$@\"");

        TrialFailure failure = study("ManyTensors", NONE_OR_TWO, python).survivedFailureOf(2);

        assertThat(failure.reason()).isEqualTo(FailureReason.TOO_MANY_OPEN_FILES);
        assertThat(failure.message()).endsWith("(the limit is 100: ulimit -n)");
        assertThat(failure.details()).containsEntry("limit", 100).containsEntry("limit_name", "ulimit -n");
        assertThat(failure.advice()).contains("ulimit -n");
    }

    @Test
    void workers_cannot_be_started() throws Exception {
        // A limit on processes does not bind root. The other user may read the interpreter, wherever it lies.
        Path python = confined(
                "exec prlimit --nproc=14 setpriv --reuid %1$d --regid %1$d --clear-groups --securebits +noroot,+no_setuid_fixup --inh-caps=-all,+dac_override --ambient-caps=-all,+dac_override --bounding-set=-all,+dac_override "
                                .formatted(USER)
                        + "%s \"$@\"");
        assumeTrue(runs(python), "only root can start processes as a user that nobody else is");

        TrialFailure failure = study("Samples", NONE_OR_SIXTEEN, python).survivedFailureOf(16);

        assertThat(failure.reason()).isEqualTo(FailureReason.PROCESS_LIMIT);
        assertThat(failure.message()).endsWith("(the limit is 14: ulimit -u)");
        assertThat(failure.details()).containsEntry("limit", 14).containsEntry("limit_name", "ulimit -u");
        assertThat(failure.advice()).contains("ulimit -u", "fewer workers");
        assertThat(ProcessHandle.allProcesses().filter(LimitsIT::isOfTheUser)).isEmpty();
    }

    @Test
    void theLimitOfACgroupIsNamedByItsFile() throws Exception {
        Path group = Path.of("/sys/fs/cgroup/pids/loader-tuner-test-" + UUID.randomUUID());
        assumeTrue(Files.isWritable(group.getParent()), "a limit needs a pids cgroup of version 1 that can be written");
        Files.createDirectory(group);
        try {
            Files.writeString(group.resolve("pids.max"), "14");
            Path python = confined("echo $$ > %s/cgroup.procs; exec ".formatted(group) + "%s \"$@\"");

            TrialFailure failure = study("Samples", NONE_OR_SIXTEEN, python).survivedFailureOf(16);

            assertThat(failure.reason()).isEqualTo(FailureReason.PROCESS_LIMIT);
            assertThat(failure.message()).endsWith("(the limit is 14: pids.max in " + group + ")");
            assertThat(Files.readString(group.resolve("cgroup.procs"))).isEmpty();
        } finally {
            Files.delete(group);
        }
    }

    @Test
    void aKillByTheKernelForWantOfMemoryIsToldByTheCgroupsCount() throws Exception {
        Path group = Path.of("/sys/fs/cgroup/memory/loader-tuner-test-" + UUID.randomUUID());
        assumeTrue(
                Files.isWritable(group.getParent()), "a limit needs a memory cgroup of version 1 that can be written");
        Files.createDirectory(group);
        try {
            Files.writeString(group.resolve("memory.limit_in_bytes"), String.valueOf(1536 * MEBIBYTE));
            Path python = confined("echo $$ > %s/cgroup.procs; exec ".formatted(group) + "%s \"$@\"");

            TrialFailure failure = study("Greedy", NONE_OR_TWO, python).survivedFailureOf(2);

            assertThat(failure.reason()).isEqualTo(FailureReason.HOST_OUT_OF_MEMORY);
            assertThat(failure.message()).matches("worker [01] was killed by the kernel for want of memory");
            assertThat(failure.details())
                    .containsEntry("signal", "SIGKILL")
                    .hasEntrySatisfying(
                            "oom_kills",
                            kills -> assertThat(((Number) kills).longValue()).isPositive());
        } finally {
            Files.delete(group);
        }
    }

    private static WildStudy study(String kind, String more, Path python) throws InterruptedException {
        return WildStudy.unhurried(
                "wild_hangs:samples", "{\"kind\": \"%s\"}".formatted(kind), more, WildStudy.LIMITS, python);
    }

    /** An interpreter that runs under a limit. */
    private Path confined(String script) throws IOException {
        String text = "#!/bin/sh\n" + script.formatted(WildStudy.PYTHON) + "\n";
        Path file = Files.writeString(folder.resolve("python"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static boolean runs(Path interpreter) throws Exception {
        Process process = new ProcessBuilder(interpreter.toString(), "-c", "")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    private static boolean isOfTheUser(ProcessHandle process) {
        return process.info().user().filter(String.valueOf(USER)::equals).isPresent();
    }
}
