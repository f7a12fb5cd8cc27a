package io.loadertuner.core.loader.pytorch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something of a trial that its supervisor could not end or remove.
 *
 * @param pid a process; null where it is a file
 * @param name of the process
 * @param state of the process, as one letter of the kernel's: {@code D} sleeps and cannot be woken
 * @param file in shared memory; null where it is a process
 */
record Leftover(
        @Nullable Long pid,
        @Nullable String name,
        @Nullable String state,
        @Nullable String file) {

    boolean isThere() {
        if (file != null) {
            return Files.exists(Path.of(file));
        }
        return stateNow().map(Leftover::isAlive).orElse(false);
    }

    /** Whether a process is there and no zombie: one that its parent has not asked after yet has ended. */
    static boolean isAlive(ProcessHandle process) {
        try {
            String stat = stat(process.pid());
            return process.isAlive() && isAlive(letter(stat));
        } catch (IOException gone) {
            return false;
        }
    }

    private static boolean isAlive(String letter) {
        return !letter.equals("Z") && !letter.equals("X");
    }

    private static String stat(long pid) throws IOException {
        return Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
    }

    private static String letter(String stat) {
        int end = stat.lastIndexOf(')');
        return stat.substring(end + 2, end + 3);
    }

    /** The kernel's letter of the process; empty where it is gone, or its number is another process's by now. */
    private Optional<String> stateNow() {
        try {
            String stat = stat(Objects.requireNonNull(pid));
            boolean sameName =
                    stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')')).equals(name);
            return sameName ? Optional.of(letter(stat)) : Optional.empty();
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /** {@code process 12 (python3, state D)}. */
    String described() {
        return file != null ? file : "process " + pid + " (" + name + ", state " + state + ")";
    }
}
