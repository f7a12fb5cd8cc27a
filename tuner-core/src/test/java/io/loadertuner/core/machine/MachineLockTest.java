package io.loadertuner.core.machine;

import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@SuppressWarnings("try") // that a lock is held is all that its block needs of it
class MachineLockTest {

    @TempDir
    Path directory;

    private final ExecutorService others = Executors.newCachedThreadPool();
    private final BlockingQueue<LockHolder> waitedFor = new LinkedBlockingQueue<>();
    private Path path = Path.of("");

    @BeforeEach
    void choosePath() {
        path = directory.resolve("machine.lock");
    }

    @AfterEach
    void endOthers() {
        others.shutdownNow();
    }

    @Test
    void isHadAtOnceWhereNobodyHasIt() throws Exception {
        try (MachineLock first = MachineLock.acquire(path, "first", MachineLockTest::unexpected)) {
            assertThat(path).hasContent(ProcessHandle.current().pid() + " first");
        }
        try (MachineLock second = MachineLock.acquire(path, "second", MachineLockTest::unexpected)) {
            assertThat(path).hasContent(ProcessHandle.current().pid() + " second");
        }
        assertThat(path).isEmptyFile();
    }

    @Test
    void isRefusedToAnotherThreadWhileHeld() throws Exception {
        try (MachineLock held = MachineLock.acquire(path, "held", MachineLockTest::unexpected)) {
            assertThat(others.submit(() -> MachineLock.tryAcquire(path, "other"))
                            .get())
                    .isEmpty();
        }

        assertThat(MachineLock.tryAcquire(path, "other")).isPresent().get().satisfies(MachineLock::close);
    }

    @Test
    void isRefusedToTheSameThreadWhileHeld() throws Exception {
        try (MachineLock held = MachineLock.acquire(path, "held", MachineLockTest::unexpected)) {
            assertThat(MachineLock.tryAcquire(path, "again")).isEmpty();
        }
    }

    @Test
    void isTheSameByWhateverLinksItsDirectoryIsReached() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory);

        try (MachineLock held = MachineLock.acquire(path, "held", MachineLockTest::unexpected)) {
            assertThat(MachineLock.tryAcquire(link.resolve("machine.lock"), "other"))
                    .isEmpty();
            assertThat(MachineLock.tryAcquire(directory.resolve("x/../machine.lock"), "other"))
                    .isEmpty();
        }
    }

    @Test
    void isPassedOnToAWaitingThreadThatWasToldOnceForWhom() throws Exception {
        MachineLock held = MachineLock.acquire(path, "study a", MachineLockTest::unexpected);
        Future<MachineLock> waiter = others.submit(acquiring("study b"));

        assertThat(waitedFor.take())
                .isEqualTo(new LockHolder(ProcessHandle.current().pid(), "study a"));
        assertThat(waiter).isNotDone();
        held.close();

        waiter.get().close();
        assertThat(waitedFor).isEmpty();
    }

    @Test
    void keepsManyThreadsApart() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<Future<Integer>> threads = new ArrayList<>();

        for (int i = 0; i < 8; i++) {
            threads.add(others.submit(() -> {
                int most = 0;
                for (int round = 0; round < 50; round++) {
                    try (MachineLock lock = MachineLock.acquire(path, "round " + round, holder -> {})) {
                        most = Math.max(most, inside.incrementAndGet());
                        inside.decrementAndGet();
                    }
                }
                return most;
            }));
        }

        for (Future<Integer> thread : threads) {
            assertThat(thread.get()).isEqualTo(1);
        }
    }

    @Test
    void isClosedOnceHoweverOftenItIsClosed() throws Exception {
        MachineLock first = MachineLock.acquire(path, "first", MachineLockTest::unexpected);
        first.close();

        try (MachineLock second = MachineLock.acquire(path, "second", MachineLockTest::unexpected)) {
            first.close();

            assertThat(MachineLock.tryAcquire(path, "third")).isEmpty();
        }
    }

    @Test
    void comesFreeWhenTheProcessThatHasItIsKilled() throws Exception {
        try (LockingProcess other = LockingProcess.start(path)) {
            assertThat(other.holdsTheLock()).isTrue();
            assertThat(MachineLock.tryAcquire(path, "impatient")).isEmpty();
            Future<MachineLock> waiter = others.submit(acquiring("patient"));
            assertThat(waitedFor.take()).isEqualTo(new LockHolder(other.pid(), LockingProcess.PURPOSE));
            assertThat(waiter).isNotDone();

            other.kill();

            try (MachineLock lock = waiter.get()) {
                assertThat(path).hasContent(ProcessHandle.current().pid() + " patient");
            }
            assertThat(waitedFor).isEmpty();
        }
    }

    /** A process loses its lock when it opens and closes the file once more; a second attempt must not do that. */
    @Test
    void staysWithItsProcessWhileOtherThreadsAskForIt() throws Exception {
        try (MachineLock held = MachineLock.acquire(path, "held", MachineLockTest::unexpected)) {
            assertThat(MachineLock.tryAcquire(path, "other")).isEmpty();
            Future<MachineLock> waiter = others.submit(acquiring("another"));
            waitedFor.take();

            try (LockingProcess other = LockingProcess.start(path)) {
                assertThat(other.holdsTheLock()).isFalse();
            }
            waiter.cancel(true);
        }
    }

    @Test
    void tellsAThreadBehindAWaitingThreadWhoHasTheLock() throws Exception {
        try (LockingProcess other = LockingProcess.start(path)) {
            assertThat(other.holdsTheLock()).isTrue();
            Future<MachineLock> first = others.submit(acquiring("first"));
            waitedFor.take();

            Future<MachineLock> second = others.submit(acquiring("second"));

            assertThat(waitedFor.take()).isEqualTo(new LockHolder(other.pid(), LockingProcess.PURPOSE));
            other.kill();
            first.get().close();
            second.get().close();
        }
    }

    @Test
    void isLeftToOthersByAThreadInterruptedWhileItWaitsForAProcess() throws Exception {
        try (LockingProcess other = LockingProcess.start(path)) {
            assertThat(other.holdsTheLock()).isTrue();
            interruptAWaiter();

            other.kill();

            MachineLock.acquire(path, "next", holder -> {}).close();
        }
    }

    @Test
    void isLeftToOthersByAThreadInterruptedWhileItWaitsForAThread() throws Exception {
        try (MachineLock held = MachineLock.acquire(path, "held", MachineLockTest::unexpected)) {
            interruptAWaiter();
        }

        MachineLock.acquire(path, "next", MachineLockTest::unexpected).close();
    }

    @Test
    void isLeftToOthersWhereTheListenerFails() throws Exception {
        try (LockingProcess other = LockingProcess.start(path)) {
            assertThat(other.holdsTheLock()).isTrue();

            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> MachineLock.acquire(path, "failing", MachineLockTest::unexpected));
            other.kill();

            MachineLock.acquire(path, "next", holder -> {}).close();
        }
    }

    @Test
    void canBeTakenByOtherUsers() throws Exception {
        MachineLock.acquire(path, "first", MachineLockTest::unexpected).close();

        assertThat(Files.getPosixFilePermissions(path)).isEqualTo(fromString("rw-rw-rw-"));
        assertThat(directory).isDirectoryNotContaining(file -> !file.equals(path));
    }

    @Test
    void doesNotFollowALinkToSomebodysFile() throws Exception {
        Path victim = Files.writeString(directory.resolve("victim"), "precious");
        Files.createSymbolicLink(path, victim);

        assertThatIOException()
                .isThrownBy(() -> MachineLock.tryAcquire(path, "tricked"))
                .withMessageContaining("must be a regular file");

        assertThat(victim).hasContent("precious");
        Files.delete(path);
        MachineLock.acquire(path, "after", MachineLockTest::unexpected).close();
    }

    @Test
    void refusesADirectoryInItsPlace() throws Exception {
        Files.createDirectory(path);

        assertThatIOException()
                .isThrownBy(() -> MachineLock.tryAcquire(path, "x"))
                .withMessageContaining("regular file");
    }

    @Test
    void isOnTheFileThatThePathLeadsToEvenIfAnotherWasRemovedMeanwhile() throws Exception {
        try (LockingProcess old = LockingProcess.start(path)) {
            assertThat(old.holdsTheLock()).isTrue();
            Future<MachineLock> waiter = others.submit(acquiring("waiter"));
            waitedFor.take();
            Files.delete(path);
            try (LockingProcess current = LockingProcess.start(path)) {
                assertThat(current.holdsTheLock()).isTrue();
                long holder = current.pid();

                old.kill();
                assertThat(Files.readString(path)).startsWith(holder + " ");
                current.kill();

                try (MachineLock lock = waiter.get()) {
                    assertThat(path).hasContent(ProcessHandle.current().pid() + " waiter");
                }
            }
        }
    }

    private Callable<MachineLock> acquiring(String purpose) {
        return () -> MachineLock.acquire(path, purpose, waitedFor::add);
    }

    private void interruptAWaiter() throws Exception {
        CompletableFuture<Thread> waiting = new CompletableFuture<>();
        FutureTask<MachineLock> waiter = new FutureTask<>(
                () -> MachineLock.acquire(path, "waiter", holder -> waiting.complete(Thread.currentThread())));
        others.execute(waiter);

        waiting.get(30, TimeUnit.SECONDS).interrupt();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(waiter::get)
                .withCauseInstanceOf(InterruptedException.class);
    }

    private static void unexpected(LockHolder holder) {
        throw new AssertionError("had to wait for " + holder.description());
    }
}
