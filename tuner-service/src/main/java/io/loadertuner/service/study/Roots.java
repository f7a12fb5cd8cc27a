package io.loadertuner.service.study;

import io.loadertuner.core.space.InvalidFieldException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Folders that callers may name paths under. Links are followed before that is judged, and what lies outside is not told
 * apart from what is not there.
 *
 * @param property the property that sets them, for messages
 * @param folders where relative paths start at the first; may be empty
 */
record Roots(String property, List<Path> folders) {

    Roots {
        folders = folders.stream()
                .map(folder -> folder.toAbsolutePath().normalize())
                .toList();
    }

    /**
     * The file or folder itself.
     *
     * @param field the field that holds the path, for messages
     * @throws InvalidFieldException if it does not lie under a root, or is not there
     */
    Path resolve(String field, String path) {
        Path asked;
        try {
            asked = folders.isEmpty() ? Path.of(path) : folders.get(0).resolve(path);
        } catch (InvalidPathException invalid) {
            throw new InvalidFieldException(field, "is no path: " + invalid.getReason());
        }
        Path found = real(asked);
        if (found != null && contains(found)) {
            return found;
        }
        if (found == null && folders.stream().anyMatch(asked.normalize()::startsWith)) {
            throw new InvalidFieldException(field, "'" + path + "' does not exist under " + describe());
        }
        throw new InvalidFieldException(
                field,
                "'" + path + "' does not lie under " + describe() + "; the operator sets these with " + property
                        + ". Links are followed before this is judged");
    }

    /** Whether a path without links in it lies under a root. */
    boolean contains(Path real) {
        return real().stream().anyMatch(real::startsWith);
    }

    /** The roots that are there, without links. */
    List<Path> real() {
        List<Path> there = new ArrayList<>();
        for (Path folder : folders) {
            Path real = real(folder);
            if (real != null && Files.isDirectory(real)) {
                there.add(real);
            }
        }
        return there;
    }

    private String describe() {
        return folders.size() == 1
                ? "the root " + folders.get(0)
                : "any of the roots "
                        + String.join(", ", folders.stream().map(Path::toString).toList());
    }

    private static @Nullable Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException absent) {
            return null;
        }
    }
}
