package io.loadertuner.core.machine;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to measure on this machine, which one measurement at a time has: two would measure each other.
 *
 * <pre>{@code
 * try (MachineLock lock = MachineLock.acquire(
 *         MachineLock.DEFAULT_PATH, "study product-photos", holder -> log.info("Waiting for {}", holder.description()))) {
 *     measure();
 * }
 * }</pre>
 *
 * It is a lock of the operating system on a file, shared by all users, processes and threads that name the same path on the
 * same file system. The system gives it up when its process dies, however it dies, and child processes do not inherit it. The
 * file stays; to remove it while somebody measures lets a second one in. Containers see each other's measurements only where
 * they share the directory.
 *
 * <p>It belongs to no thread: any thread may close it, and a thread that has it and asks again waits for itself.
 */
public final class MachineLock implements AutoCloseable {

    /** Not {@code java.io.tmpdir}, which each user and each service may set otherwise. */
    public static final Path DEFAULT_PATH = Path.of("/tmp/loader-tuner.lock");

    private static final Logger log = LoggerFactory.getLogger(MachineLock.class);

    private final LockQueue queue;
    private final LockFile file;
    private final AtomicBoolean open = new AtomicBoolean(true);

    private MachineLock(LockQueue queue, LockFile file) {
        this.queue = queue;
        this.file = file;
    }

    /**
     * Waits for the lock, however long that takes.
     *
     * @param path the lock file, made where there is none; its directory must exist
     * @param purpose what is about to be measured, for those who will wait
     * @param onWait told at most once, before the wait begins, who has the lock
     * @throws InterruptedException if the thread is interrupted before it has the lock
     * @throws IOException if the file is no regular file, is not writable or cannot be made
     */
    public static MachineLock acquire(Path path, String purpose, Consumer<LockHolder> onWait)
            throws IOException, InterruptedException {
        AtomicBoolean told = new AtomicBoolean();
        return acquireIf(path, purpose, holder -> {
                    if (told.compareAndSet(false, true)) {
                        onWait.accept(holder);
                    }
                    return true;
                })
                .orElseThrow();
    }

    /**
     * Takes the lock if nobody has it.
     *
     * @param path the lock file, made where there is none; its directory must exist
     * @param purpose what is about to be measured, for those who will wait
     * @return the lock, or nothing where another has it
     * @throws InterruptedException if the thread is interrupted
     * @throws IOException if the file is no regular file, is not writable or cannot be made
     */
    public static Optional<MachineLock> tryAcquire(Path path, String purpose) throws IOException, InterruptedException {
        return acquireIf(path, purpose, holder -> false);
    }

    private static Optional<MachineLock> acquireIf(Path path, String purpose, Predicate<LockHolder> waits)
            throws IOException, InterruptedException {
        LockQueue queue = LockQueue.at(path);
        if (!queue.enter(waits)) {
            return Optional.empty();
        }
        Optional<MachineLock> lock = Optional.empty();
        try {
            lock = lockedFile(queue, LockHolder.thisProcess(purpose), waits).map(file -> new MachineLock(queue, file));
            return lock;
        } catch (FileLockInterruptionException | ClosedByInterruptException e) {
            Thread.interrupted();
            throw (InterruptedException) new InterruptedException("interrupted while waiting for " + path).initCause(e);
        } finally {
            if (lock.isEmpty()) {
                queue.leave();
            }
        }
    }

    private static Optional<LockFile> lockedFile(LockQueue queue, LockHolder self, Predicate<LockHolder> waits)
            throws IOException {
        while (true) {
            LockFile file = LockFile.open(queue.path());
            boolean locked = false;
            try {
                if (!file.tryLock()) {
                    LockHolder other = file.holder();
                    queue.heldBy(other);
                    if (!waits.test(other)) {
                        return Optional.empty();
                    }
                    file.lock();
                }
                if (file.isInPlace()) {
                    queue.heldBy(self);
                    file.announce(self);
                    locked = true;
                    return Optional.of(file);
                }
            } finally {
                if (!locked) {
                    file.close();
                }
            }
        }
    }

    /** Lets the next one measure. Closing again does nothing. */
    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            try {
                file.release();
            } catch (IOException e) {
                log.debug("{} keeps a note of a lock that has ended", queue.path(), e);
            } finally {
                queue.leave();
            }
        }
    }
}
