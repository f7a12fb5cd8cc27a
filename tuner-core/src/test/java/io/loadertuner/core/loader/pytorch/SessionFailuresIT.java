package io.loadertuner.core.loader.pytorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.space.LoaderConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What goes wrong while a session measures has its right name, and the session goes on. */
@Execution(ExecutionMode.CONCURRENT)
class SessionFailuresIT extends SessionTests {

    @Test
    void anExceptionInTheDatasetKeepsItsTypeMessageAndPlace() throws Exception {
        for (LoaderConfig config : List.of(NO_WORKERS, TWO_WORKERS)) {
            TrialFailure failure = failureOf("value_error", config);

            assertThat(failure.reason()).isEqualTo(FailureReason.DATASET_ERROR);
            assertThat(failure.message()).contains("is broken");
            assertThat(failure.details().get("exception")).asString().contains("ValueError");
            assertThat(failure.details().get("frame")).asString().contains("wild.py");
            assertThat(failure.details().get("traceback")).asString().contains("__getitem__");
            assertThat(failure.advice()).isNotBlank();
        }
    }

    @Test
    void aKilledWorkerIsNamedWithItsSignal() throws Exception {
        TrialFailure withWorkers = failureOf("sigkill", TWO_WORKERS);
        TrialFailure without = failureOf("sigkill", NO_WORKERS);

        assertThat(withWorkers.reason()).isEqualTo(FailureReason.WORKER_CRASHED);
        assertThat(withWorkers.details()).containsEntry("signal", "SIGKILL");
        assertThat(without.reason()).isEqualTo(FailureReason.WORKER_CRASHED);
        assertThat(without.details()).containsEntry("signal", "SIGKILL");
    }

    @Test
    void aProcessThatLeavesQuietlyIsAFailure() throws Exception {
        TrialFailure failure = failureOf("os_exit", NO_WORKERS);

        assertThat(failure.reason()).isEqualTo(FailureReason.WORKER_CRASHED);
        assertThat(failure.details()).containsEntry("exit_code", 3);
    }

    @Test
    void aHangIsEndedAndShowsTheStackOfEveryThreadOfEveryWorker() throws Exception {
        for (LoaderConfig config : List.of(TWO_WORKERS, NO_WORKERS)) {
            Path notes = Files.createDirectories(folder.resolve("hang-" + config.numWorkers()));
            try (LoaderSession session = openImpatiently("wild:hanging", Map.of("folder", notes.toString()))) {
                TrialFailure failure = failure(session, config);

                assertThat(failure.reason()).isEqualTo(FailureReason.TIMED_OUT);
                assertThat(failure.message()).contains("4.0 s").contains("first batch");
                List<String> hung = config.numWorkers() == 0 ? List.of("probe") : List.of("worker", "worker");
                assertThat(rolesWith("in wait_for_ever", failure)).isEqualTo(hung);
                assertThat(rolesWith("in read_ahead", failure)).isEqualTo(hung);
                assertThat(processes.alive())
                        .allSatisfy(process -> assertThat(process.pid()).isNotIn(pidsNotedIn(notes)));
            }
        }
    }

    @Test
    void aWorkerThatLeftItsSessionIsEndedToo() throws Exception {
        try (LoaderSession session =
                openImpatiently("wild:hanging", Map.of("folder", folder.toString(), "own_session", true))) {
            assertThat(failure(session, TWO_WORKERS).reason()).isEqualTo(FailureReason.TIMED_OUT);
            assertThat(pidsNotedIn(folder))
                    .hasSize(2)
                    .noneMatch(pid ->
                            ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent());
        }
    }

    @Test
    void aProcessWithoutWorkersThatTheKernelKillsForWantOfMemoryIsToldByTheCgroupsCount() throws Exception {
        Path memory = Path.of("/sys/fs/cgroup/memory");
        assumeTrue(Files.isWritable(memory), "a limit needs a memory cgroup of version 1 that can be written");
        Path group = Files.createDirectory(memory.resolve("loader-tuner-test-" + UUID.randomUUID()));
        Files.writeString(group.resolve("memory.limit_in_bytes"), String.valueOf(1L << 30));
        Path python = Files.writeString(
                folder.resolve("python"),
                "#!/bin/sh\necho $$ > %s/cgroup.procs; exec %s \"$@\"\n".formatted(group, PYTHON));
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, Object> greedy = Map.of("kind", "Greedy", "everywhere", true);
        try (LoaderSession session = loader(python).open(descriptor(python("wild_hangs:samples", greedy), null), 7)) {
            TrialFailure failure = failure(session, NO_WORKERS);

            assertThat(failure.reason()).isEqualTo(FailureReason.HOST_OUT_OF_MEMORY);
            assertThat(failure.message())
                    .isEqualTo(
                            "the process that loads without workers was killed by the kernel for want of memory while"
                                    + " measuring a round");
            assertThat(failure.details()).containsEntry("signal", "SIGKILL").containsEntry("oom_kills", 1L);
        } finally {
            Files.delete(group);
        }
    }

    @Test
    void aSessionGoesOnAfterAFailure() throws Exception {
        Path script = Files.writeString(folder.resolve("script"), "sigkill");
        try (LoaderSession session = open("wild:wild", Map.of("script", script.toString()))) {
            TrialFailure crash = failure(session, TWO_WORKERS);
            assertThat(crash.reason()).as("%s", crash).isEqualTo(FailureReason.WORKER_CRASHED);
            Files.writeString(script, "nothing");

            assertThat(session.measure(TWO_WORKERS, SHORT_WITH_TWO, false)
                            .measurement()
                            .window()
                            .samples())
                    .isPositive();
        }
    }

    private TrialFailure failureOf(String misfortune, LoaderConfig config) throws Exception {
        Path script = Files.writeString(folder.resolve("script"), misfortune);
        try (LoaderSession session = open("wild:wild", Map.of("script", script.toString()))) {
            return failure(session, config);
        }
    }

    private LoaderSession openImpatiently(String factory, Map<String, Object> arguments) throws Exception {
        return loader(PYTHON, IMPATIENT).open(descriptor(python(factory, arguments), null), 7);
    }

    /** What the processes are in whose stacks a function stands. */
    private static List<String> rolesWith(String function, TrialFailure failure) {
        return stacks(failure).stream()
                .filter(stack -> stack.stack().contains(function))
                .map(ProbeMessages.ProcessStack::role)
                .toList();
    }

    @SuppressWarnings("unchecked")
    private static List<ProbeMessages.ProcessStack> stacks(TrialFailure failure) {
        return (List<ProbeMessages.ProcessStack>)
                Objects.requireNonNull(failure.details().get("stacks"));
    }
}
