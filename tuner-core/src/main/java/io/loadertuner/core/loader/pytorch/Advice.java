package io.loadertuner.core.loader.pytorch;

import io.loadertuner.core.loader.FailureReason;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What to do about a failure: by signals, types and stacks where they say more than its name does, by words last. */
final class Advice {
    static final String HANDLE_BEFORE_FORK =
            "A native library crashed in the worker. Was a handle opened before the fork (a database, HDF5, LMDB, a video reader)? Open it in the worker, when the first sample is read, or start workers with the multiprocessing_context spawn.";
    static final String KILLED =
            "If memory was short, use fewer workers, less prefetch or smaller batches, or give the job more memory. The kernel has counted no kill for want of memory in this cgroup, so it may have been something else that killed it.";
    static final String DAEMONIC =
            "Workers are daemonic processes, and daemonic processes are not allowed to have children. Take the Process or Pool out of the dataset and let num_workers do its work, use threads that are made in the worker, or load with num_workers = 0.";
    static final String MAIN_GUARD =
            "The module starts processes when it is imported, and every worker that is not forked imports it again. Put that code under if __name__ == \"__main__\".";
    static final String LOCK_BEFORE_FORK =
            "A worker waits for a lock. One that was held, or a thread pool that was made, before the fork is dead in a forked worker. Start workers with the multiprocessing_context spawn, or make the lock or pool in the worker, when the first sample is read.";
    static final String LOCK =
            "A worker waits for a lock: the stacks show which code took it. Workers were started by %s, so it is none that a fork copied.";

    private static final String FORK = "fork";
    private static final Set<String> CRASHES = Set.of("SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE");
    private static final String NO_CHILDREN = "daemonic processes are not allowed to have children";
    private static final String BOOTSTRAPPING = "current process has finished its bootstrapping phase";

    private Advice() {}

    /**
     * @param exception type of what was raised; null if nothing was
     * @param traceback of the exception, or null
     * @param log what the loading processes printed last
     */
    static String onError(
            FailureReason reason,
            @Nullable Object signal,
            @Nullable String exception,
            @Nullable String traceback,
            String log) {
        if (reason == FailureReason.WORKER_CRASHED && signal != null) {
            if (CRASHES.contains(signal)) {
                return HANDLE_BEFORE_FORK;
            }
            return signal.equals("SIGKILL") ? KILLED : reason.advice();
        }
        if ("AssertionError".equals(exception) && traceback != null && traceback.contains(NO_CHILDREN)) {
            return DAEMONIC;
        }
        // A worker that was spawned and could not read what it was sent has said so in the log alone.
        boolean started = reason == FailureReason.WORKER_CRASHED || reason == FailureReason.IMPORT_ERROR;
        if (started && (log.contains(BOOTSTRAPPING) || log.contains(NO_CHILDREN))) {
            return MAIN_GUARD;
        }
        return reason.advice();
    }

    /**
     * @param startMethod how workers were started; null where there are none or it is not known
     */
    static String onHang(List<ProbeMessages.ProcessStack> stacks, @Nullable String startMethod) {
        boolean waitsForLock = stacks.stream().anyMatch(stack -> stack.role().equals("worker") && waitsForLock(stack));
        if (!waitsForLock) {
            return FailureReason.TIMED_OUT.advice();
        }
        return startMethod == null || startMethod.equals(FORK) ? LOCK_BEFORE_FORK : LOCK.formatted(startMethod);
    }

    private static boolean waitsForLock(ProbeMessages.ProcessStack process) {
        String sleepsIn = process.sleepsIn();
        if (sleepsIn != null) {
            return sleepsIn.startsWith("futex");
        }
        // The main thread comes last, its innermost call first.
        int main = process.stack().lastIndexOf("hread 0x");
        String[] lines = process.stack().substring(Math.max(0, main)).split("\n", 3);
        return lines.length > 1 && lines[1].contains("threading.py");
    }
}
