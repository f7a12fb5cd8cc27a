package io.loadertuner.core.loader.pytorch;

/** A thread that reads what a child process says, for as long as that lives; it keeps no virtual machine alive. */
final class DaemonThread {
    private DaemonThread() {}

    static Thread start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
