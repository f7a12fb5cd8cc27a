package io.loadertuner.core.loader.jcuda;

import io.loadertuner.core.space.InvalidFieldException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Class folders of JPEG or PNG files: decoded, a random part scaled to a square, flipped at random, normalised. Links are not
 * followed out of the folder.
 */
public final class ImageFolderSource implements SampleSource {
    private static final int CHANNELS = 3;
    static final int LARGEST_SIZE = 8192;
    static final List<String> SUFFIXES = List.of(".jpg", ".jpeg", ".png");

    private final List<Path> files;
    private final int[] classes;
    private final int size;

    private ImageFolderSource(List<Path> files, int[] classes, int size) {
        this.files = files;
        this.classes = classes;
        this.size = size;
    }

    /**
     * Lists the images of a folder, in an order that follows from their names: those below each class folder; where there are no
     * folders, its own.
     *
     * @param size edge of the square in pixels, 1 to {@value #LARGEST_SIZE}
     * @throws IOException if the folder cannot be read or has no images
     */
    public static ImageFolderSource open(Path folder, int size) throws IOException {
        InvalidFieldException.requireRange("image_size", size, 1, LARGEST_SIZE);
        Path root = folder.toRealPath();
        List<Path> folders;
        try (Stream<Path> entries = Files.list(root)) {
            folders = entries.filter(Files::isDirectory).sorted().toList();
        }
        List<Path> files = new ArrayList<>();
        List<Integer> classes = new ArrayList<>();
        List<Path> searched = folders.isEmpty() ? List.of(root) : folders;
        for (int number = 0; number < searched.size(); number++) {
            for (Path image : imagesBelow(searched.get(number), root)) {
                files.add(image);
                classes.add(number);
            }
        }
        if (files.isEmpty()) {
            throw new IOException("%s has no images: class folders with files ending in %s are expected"
                    .formatted(folder, String.join(", ", SUFFIXES)));
        }
        return new ImageFolderSource(
                List.copyOf(files), classes.stream().mapToInt(Integer::intValue).toArray(), size);
    }

    private static List<Path> imagesBelow(Path folder, Path root) throws IOException {
        if (!folder.toRealPath().startsWith(root)) {
            return List.of();
        }
        try (Stream<Path> found = Files.walk(folder.toRealPath())) {
            List<Path> images = new ArrayList<>();
            for (Path file :
                    found.filter(ImageFolderSource::isNamedAnImage).sorted().toList()) {
                if (Files.isRegularFile(file) && file.toRealPath().startsWith(root)) {
                    images.add(file);
                }
            }
            return images;
        }
    }

    private static boolean isNamedAnImage(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return SUFFIXES.stream().anyMatch(name::endsWith);
    }

    @Override
    public int length() {
        return classes.length;
    }

    @Override
    public int sampleBytes() {
        return CHANNELS * size * size * Float.BYTES;
    }

    @Override
    public List<Integer> shape() {
        return List.of(CHANNELS, size, size);
    }

    @Override
    public String dtype() {
        return "float32";
    }

    @Override
    public long read(int index, long seed, ByteBuffer into, int at) throws IOException, CorruptSampleException {
        Path file = files.get(index);
        RgbImage image = RgbImage.decode(Files.readAllBytes(file), file.toString());
        image.write(CropBox.of(image.width(), image.height(), seed), size, into, at);
        return classes[index];
    }

    @Override
    public void close() {}
}
