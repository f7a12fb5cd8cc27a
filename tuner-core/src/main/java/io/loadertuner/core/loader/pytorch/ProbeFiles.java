package io.loadertuner.core.loader.pytorch;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The probe's Python files, unpacked from the jar to a private temporary folder. */
final class ProbeFiles {
    private static final String PACKAGE = "loader_probe";

    private ProbeFiles() {}

    /**
     * Unpacks the package {@code loader_probe} into a new folder that only this user can read.
     *
     * @throws IOException if it cannot be written
     */
    static Path unpack() throws IOException {
        Path folder = Files.createTempDirectory("loader-tuner-probe-");
        try {
            URI location = location();
            if (location.getScheme().equals("file")) {
                copy(Path.of(location).resolveSibling(""), folder.resolve(PACKAGE));
            } else {
                try (FileSystem jar = FileSystems.newFileSystem(location, Map.of())) {
                    copy(jar.getPath("/" + PACKAGE), folder.resolve(PACKAGE));
                }
            }
            return folder;
        } catch (IOException | RuntimeException failed) {
            delete(folder);
            throw failed;
        }
    }

    /** Removes what {@link #unpack} made; what is gone already is no error. */
    static void delete(Path folder) {
        try (Stream<Path> paths = Files.walk(folder)) {
            List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException leftBehind) {
            folder.toFile().deleteOnExit();
        }
    }

    private static URI location() throws IOException {
        URL resource = ProbeFiles.class.getResource("/" + PACKAGE + "/__init__.py");
        if (resource == null) {
            throw new IOException("the Python package " + PACKAGE + " is not on the class path; the build is broken");
        }
        try {
            return resource.toURI();
        } catch (URISyntaxException malformed) {
            throw new IOException(malformed);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> paths = Files.walk(from)) {
            List<Path> all = paths.filter(path -> !path.toString().contains("__pycache__"))
                    .toList();
            for (Path path : all) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }
}
