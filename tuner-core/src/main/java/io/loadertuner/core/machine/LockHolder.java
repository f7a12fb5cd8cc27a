package io.loadertuner.core.machine;

/**
 * Who holds a {@link MachineLock}, as it said itself: good for a message, not for a decision.
 *
 * @param pid the number of its process in its own PID namespace; 0 where the holder has not said it (yet)
 * @param purpose what it measures, one printable line, at most {@value #LONGEST_PURPOSE} characters; may be empty
 */
public record LockHolder(long pid, String purpose) {

    static final int LONGEST_PURPOSE = 200;
    static final LockHolder UNKNOWN = new LockHolder(0, "");

    /**
     * Makes any text fit to be shown: other users of the machine can write to the lock file, so what stands there is cut, and
     * a terminal gets no control characters from it.
     */
    public LockHolder {
        String printable = purpose.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]+", " ").strip();
        purpose = printable
                .substring(0, Math.min(LONGEST_PURPOSE, printable.length()))
                .strip();
    }

    static LockHolder thisProcess(String purpose) {
        return new LockHolder(ProcessHandle.current().pid(), purpose);
    }

    /** The holder that a lock file's text names. */
    static LockHolder parse(String text) {
        String[] pidAndPurpose = text.strip().split(" ", 2);
        if (!pidAndPurpose[0].matches("\\d{1,18}")) {
            return UNKNOWN;
        }
        return new LockHolder(Long.parseLong(pidAndPurpose[0]), pidAndPurpose.length == 2 ? pidAndPurpose[1] : "");
    }

    String format() {
        return pid + " " + purpose + "\n";
    }

    /** As it reads after "waiting for": {@code process 4711 (study product-photos)}. */
    public String description() {
        String process = pid == 0 ? "another process" : "process " + pid;
        return purpose.isEmpty() ? process : process + " (" + purpose + ")";
    }
}
