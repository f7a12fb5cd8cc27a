package io.loadertuner.core.loader.pytorch;

/** A thread that waits for a child process; it keeps no virtual machine alive. */
final class DaemonThread {
    private DaemonThread() {}

    static Thread start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
