package io.loadertuner.core.loader.pytorch;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where code and data may come from, for the probe to check once links are resolved and modules imported.
 *
 * @param code folders that a factory's code must lie under; null for any
 * @param data folders that data must lie under; null for any
 * @param stepPath folders put on Python's module path for a step's factory
 */
public record AllowedRoots(
        @Nullable List<Path> code, @Nullable List<Path> data, List<Path> stepPath) {

    public AllowedRoots {
        code = code == null ? null : List.copyOf(code);
        data = data == null ? null : List.copyOf(data);
        stepPath = List.copyOf(stepPath);
    }

    /** Whatever the user may read and run, as on the command line; steps are found in {@code folder}. */
    public static AllowedRoots unrestricted(Path folder) {
        return new AllowedRoots(null, null, List.of(folder));
    }
}
