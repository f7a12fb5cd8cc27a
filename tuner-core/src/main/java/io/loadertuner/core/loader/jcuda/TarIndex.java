package io.loadertuner.core.loader.jcuda;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarFile;
import org.jspecify.annotations.Nullable;

/** Finds the samples of a shard: files that follow each other, of one folder, with the same name up to the first dot. */
final class TarIndex {
    private static final int LARGEST_CLASS_FILE_BYTES = 64;

    private final Path shard;
    private final TarFile tar;
    private final List<TarSample> samples = new ArrayList<>();
    private @Nullable String key;
    private @Nullable TarArchiveEntry image;
    private long classNumber;

    private TarIndex(Path shard, TarFile tar) {
        this.shard = shard;
        this.tar = tar;
    }

    /** @throws IOException naming the shard, if it is no whole tar file or has a sample without an image */
    static List<TarSample> of(Path shard) throws IOException {
        try (TarFile tar = new TarFile(shard)) {
            TarIndex index = new TarIndex(shard, tar);
            for (TarArchiveEntry entry : tar.getEntries()) {
                index.add(entry);
            }
            index.endSample();
            return index.samples;
        } catch (IOException | IllegalArgumentException broken) {
            throw new IOException("cannot index %s: %s".formatted(shard, broken.getMessage()), broken);
        }
    }

    private void add(TarArchiveEntry entry) throws IOException {
        String name = entry.getName();
        int folder = name.lastIndexOf('/') + 1;
        int dot = name.indexOf('.', folder);
        if (!entry.isFile() || dot <= folder || dot == name.length() - 1) {
            return;
        }
        String ofSample = name.substring(0, dot);
        if (!ofSample.equals(key)) {
            endSample();
            key = ofSample;
        }
        String suffix = name.substring(name.lastIndexOf('.')).toLowerCase(Locale.ROOT);
        if (image == null && ImageFolderSource.SUFFIXES.contains(suffix)) {
            image = entry;
        } else if (suffix.equals(".cls")) {
            classNumber = classNumber(entry);
        }
    }

    private void endSample() throws IOException {
        if (key == null) {
            return;
        }
        TarArchiveEntry found = image;
        if (found == null) {
            throw new IOException(
                    "sample %s has no image (%s)".formatted(key, String.join(", ", ImageFolderSource.SUFFIXES)));
        }
        long end = Math.addExact(found.getDataOffset(), found.getSize());
        if (found.getSize() > Integer.MAX_VALUE || end > Files.size(shard)) {
            throw new IOException(
                    "%s ends at byte %d, the file at %d".formatted(found.getName(), end, Files.size(shard)));
        }
        samples.add(new TarSample(
                shard, found.getName(), found.getDataOffset(), Math.toIntExact(found.getSize()), classNumber));
        key = null;
        image = null;
        classNumber = 0;
    }

    /** A class that is no number counts as none. */
    private long classNumber(TarArchiveEntry entry) throws IOException {
        if (entry.getSize() > LARGEST_CLASS_FILE_BYTES) {
            return 0;
        }
        try (InputStream file = tar.getInputStream(entry)) {
            return Long.parseLong(new String(file.readAllBytes(), StandardCharsets.UTF_8).strip());
        } catch (NumberFormatException text) {
            return 0;
        }
    }
}
