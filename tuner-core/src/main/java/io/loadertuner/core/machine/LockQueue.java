package io.loadertuner.core.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;

/**
 * The threads of this JVM that want one {@link MachineLock}, first come, first served.
 *
 * <p>Locks on files exclude processes, not threads: the system would grant a second thread the same lock, Java throws an
 * exception, and a look into the file would lose the lock (see {@link LockFile}). So only the thread whose turn it is here
 * touches the file. That asks for one queue per file and JVM, whoever uses it: the one place with static state.
 */
final class LockQueue {

    private static final Map<Path, LockQueue> QUEUES = new ConcurrentHashMap<>();

    private final Path path;
    private final Semaphore turn = new Semaphore(1, true);
    private volatile LockHolder holder = LockHolder.UNKNOWN;

    private LockQueue(Path path) {
        this.path = path;
    }

    /** The queue for a file, by whatever links its directory is reached; the last name is not followed. */
    static LockQueue at(Path file) throws IOException {
        Path absolute = file.toAbsolutePath().normalize();
        Path directory = Objects.requireNonNull(absolute.getParent(), "the machine lock must be a file")
                .toRealPath();
        return QUEUES.computeIfAbsent(directory.resolve(absolute.getFileName()), LockQueue::new);
    }

    /** The file's real path. */
    Path path() {
        return path;
    }

    /**
     * Makes it this caller's turn.
     *
     * @param waits asked only if another thread's turn lasts, with the holder of the lock: whether to wait
     * @return false if the caller does not wait
     */
    boolean enter(Predicate<LockHolder> waits) throws InterruptedException {
        if (turn.tryAcquire()) {
            return true;
        }
        if (!waits.test(holder)) {
            return false;
        }
        turn.acquire();
        return true;
    }

    /** Tells those who come later whom they wait for. */
    void heldBy(LockHolder holder) {
        this.holder = holder;
    }

    void leave() {
        holder = LockHolder.UNKNOWN;
        turn.release();
    }
}
