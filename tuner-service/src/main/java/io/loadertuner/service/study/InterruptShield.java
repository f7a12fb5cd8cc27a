package io.loadertuner.service.study;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Keeps interrupts away from a thread while it uses the database: H2 closes its file when a thread that reads or writes it
 * is interrupted. Only what goes through {@link #interrupt} is kept away.
 */
public final class InterruptShield {
    private final ReentrantLock lock = new ReentrantLock();

    /** Does the work; an interrupt that came before is felt after it. */
    public <T> T call(Supplier<T> work) {
        lock.lock();
        boolean interrupted = Thread.interrupted();
        try {
            return work.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            lock.unlock();
        }
    }

    public void run(Runnable work) {
        call(() -> {
            work.run();
            return true;
        });
    }

    /** Interrupts the thread as soon as it is not behind the shield. */
    void interrupt(Thread thread) {
        lock.lock();
        try {
            thread.interrupt();
        } finally {
            lock.unlock();
        }
    }
}
