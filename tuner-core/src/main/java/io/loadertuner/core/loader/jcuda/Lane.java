package io.loadertuner.core.loader.jcuda;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The batches of one worker: it fills them in turn, and the one thread that reads takes them in the same order. Whoever has to wait is
 * woken by the other; nothing is allocated. The ring is the back-pressure: a worker is ahead by its length at most.
 */
final class Lane {
    private final Batch[] ring;
    private volatile long filled;
    private volatile long given;
    private volatile boolean closed;
    private volatile @Nullable Thread worker;
    private volatile @Nullable Thread reader;

    /** @param ring at least two: one is with the reader */
    Lane(Batch[] ring) {
        this.ring = ring;
    }

    /** The batch to be filled next, as soon as it is free; null when the lane is closed. */
    @Nullable
    Batch toFill() {
        worker = Thread.currentThread();
        while (!closed && filled - given >= ring.length) {
            LockSupport.park(this);
        }
        worker = null;
        return closed ? null : ring[(int) (filled % ring.length)];
    }

    /** The batch that was to be filled is. Only the worker counts, so nothing is lost. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    void filled() {
        filled = filled + 1;
        LockSupport.unpark(reader);
    }

    /**
     * The batch to be read next, as soon as it is there.
     *
     * @throws InterruptedException if the reader is interrupted meanwhile
     * @throws IllegalStateException if the lane is closed
     */
    Batch toRead() throws InterruptedException {
        reader = Thread.currentThread();
        while (!closed && filled == given) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while waiting for a batch");
            }
            LockSupport.park(this);
        }
        reader = null;
        if (closed) {
            throw new IllegalStateException("the loader is closed");
        }
        return ring[(int) (given % ring.length)];
    }

    /** The batch that was to be read is not needed any more. Only the reader counts, so nothing is lost. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    void given() {
        given = given + 1;
        LockSupport.unpark(worker);
    }

    /** Whoever waits is woken, and nobody waits any more. */
    void close() {
        closed = true;
        LockSupport.unpark(worker);
        LockSupport.unpark(reader);
    }
}
