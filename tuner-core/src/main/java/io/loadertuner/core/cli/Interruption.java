package io.loadertuner.core.cli;

import java.time.Duration;

/** Turns Ctrl-C into an interrupt of the thread that tunes, and keeps the process until that has tidied up. */
final class Interruption implements AutoCloseable {
    private final Thread tuning;
    private final Thread hook;
    private volatile boolean armed = true;

    private Interruption(Thread tuning, Duration patience) {
        this.tuning = tuning;
        this.hook = new Thread(() -> interrupt(patience), "interruption");
    }

    static Interruption onShutdown(Duration patience) {
        Interruption interruption = new Interruption(Thread.currentThread(), patience);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    /** What is going on has ended by itself. */
    void disarm() {
        armed = false;
    }

    @Override
    public void close() {
        armed = false;
        synchronized (this) {
            notifyAll();
        }
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The hook is running; it has just been told that there is nothing left to wait for.
            return;
        }
    }

    private synchronized void interrupt(Duration patience) {
        if (!armed) {
            return;
        }
        tuning.interrupt();
        long deadline = System.nanoTime() + patience.toNanos();
        while (armed && System.nanoTime() < deadline) {
            try {
                wait(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            } catch (InterruptedException impatient) {
                return;
            }
        }
    }
}
