package io.loadertuner.core.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code /proc} and {@code /sys} below a root, so that a recorded tree can stand in for the live one. Kernels, containers
 * and sandboxes differ in what they show; a file that is absent or unreadable says nothing, and is never an error.
 */
record SystemFiles(Path root) {

    /** The trimmed text of a file, given by its absolute path on the machine. */
    Optional<String> text(String path) {
        try {
            return Optional.of(new String(Files.readAllBytes(below(path)), StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The lines of a file, none where it cannot be read. */
    List<String> lines(String path) {
        return text(path).stream().flatMap(String::lines).toList();
    }

    /** The absolute paths of what a directory contains, sorted by name. */
    List<String> children(String directory) {
        List<String> children = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(below(directory))) {
            entries.forEach(entry -> children.add(directory + "/" + entry.getFileName()));
        } catch (IOException | DirectoryIteratorException e) {
            return List.of();
        }
        return children.stream().sorted().toList();
    }

    private Path below(String path) {
        return root.resolve(path.substring(1));
    }
}
