package io.loadertuner.core.loader.pytorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.TrialFailure;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a trial leaves behind is gone before the next begins. */
class SessionLeftoversIT extends SessionTests {
    @Test
    void aTrialBeginsWhereNothingIsLeftOfTheLast() throws Exception {
        try (LoaderSession session = open("wild_hangs:samples", leavesThings())) {
            session.measure(TWO_WORKERS, SHORT_WITH_TWO, false);
            List<Long> left = processesLeft();
            assertThat(left).hasSize(2).allMatch(SessionLeftoversIT::isAlive);
            assertThat(namesLeft()).hasSize(6).allMatch(Files::exists);

            session.measure(NO_WORKERS, SHORT_WITHOUT_WORKERS, false);

            assertThat(left).noneMatch(SessionLeftoversIT::isAlive);
            assertThat(namesLeft()).noneMatch(Files::exists);

            session.measure(TWO_WORKERS, SHORT_WITH_TWO, false);
        }
        assertThat(namesLeft()).hasSize(12).noneMatch(Files::exists);
    }

    @Test
    void whatCannotBeEndedFailsTheNextTrialByItsName() throws Exception {
        Path freezer = Path.of("/sys/fs/cgroup/freezer");
        assumeTrue(Files.isWritable(freezer), "a process that cannot be ended needs a freezer cgroup");
        Path group = Files.createDirectory(freezer.resolve("loader-tuner-test-" + UUID.randomUUID()));
        try (LoaderSession session = open("wild_hangs:samples", leavesThings())) {
            session.measure(TWO_WORKERS, SHORT_WITH_TWO, false);
            long frozen = processesLeft().get(0);
            Files.writeString(group.resolve("cgroup.procs"), String.valueOf(frozen));
            Files.writeString(group.resolve("freezer.state"), "FROZEN");

            TrialFailure failure = failure(session, NO_WORKERS);

            assertThat(failure.reason()).isEqualTo(FailureReason.RUNNER_ERROR);
            assertThat(failure.message())
                    .contains("of an earlier trial there is left, and cannot be ended: process " + frozen + " (sleep");
            assertThat(failure(session, NO_WORKERS).message()).contains("process " + frozen);

            Files.writeString(group.resolve("freezer.state"), "THAWED");
            while (isAlive(frozen)) {
                Thread.onSpinWait();
            }
            session.measure(NO_WORKERS, SHORT_WITHOUT_WORKERS, false);
        } finally {
            Files.writeString(group.resolve("freezer.state"), "THAWED");
            Files.delete(group);
        }
    }

    private Map<String, Object> leavesThings() {
        return Map.of("kind", "LeavesThings", "folder", folder.toString());
    }

    private List<Long> processesLeft() throws IOException {
        return linesLeft().stream()
                .filter(line -> line.matches("\\d+"))
                .map(Long::parseLong)
                .toList();
    }

    private List<Path> namesLeft() throws IOException {
        return linesLeft().stream()
                .filter(line -> !line.matches("\\d+"))
                .map(name -> Path.of("/dev/shm", name))
                .toList();
    }

    private List<String> linesLeft() throws IOException {
        List<String> lines = new ArrayList<>();
        try (DirectoryStream<Path> notes = Files.newDirectoryStream(folder, "worker-*")) {
            for (Path note : notes) {
                lines.addAll(Files.readAllLines(note));
            }
        }
        return lines;
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }
}
