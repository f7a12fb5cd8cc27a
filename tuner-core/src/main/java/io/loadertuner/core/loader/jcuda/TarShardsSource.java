package io.loadertuner.core.loader.jcuda;

import io.loadertuner.core.space.InvalidFieldException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Images of tar files in the WebDataset layout, where the files of one sample follow each other and share their name up to a dot:
 * decoded, a random part scaled to a square, flipped at random, normalised; the class number is in a file ending in {@code .cls}. The
 * shards are indexed once, so that samples can be read in any order.
 */
public final class TarShardsSource implements SampleSource {
    private static final int CHANNELS = 3;
    private static final String SHARD_SUFFIX = ".tar";

    private final List<TarSample> samples;
    private final int size;

    private TarShardsSource(List<TarSample> samples, int size) {
        this.samples = samples;
        this.size = size;
    }

    /**
     * @param path a shard, or a folder of shards, taken in the order of their names; links out of it are not followed
     * @param size edge of the square in pixels, 1 to {@value ImageFolderSource#LARGEST_SIZE}
     * @throws IOException if a shard cannot be read to its end, has a sample without an image, or there is none
     */
    public static TarShardsSource open(Path path, int size) throws IOException {
        InvalidFieldException.requireRange("image_size", size, 1, ImageFolderSource.LARGEST_SIZE);
        List<TarSample> samples = new ArrayList<>();
        for (Path shard : shards(path)) {
            samples.addAll(TarIndex.of(shard));
        }
        if (samples.isEmpty()) {
            throw new IOException(path + " has no samples: tar files with images are expected");
        }
        return new TarShardsSource(List.copyOf(samples), size);
    }

    private static List<Path> shards(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        Path root = path.toRealPath();
        List<Path> shards = new ArrayList<>();
        try (Stream<Path> entries = Files.list(root)) {
            for (Path entry : entries.sorted().toList()) {
                if (entry.toString().endsWith(SHARD_SUFFIX)
                        && entry.toRealPath().startsWith(root)) {
                    shards.add(entry);
                }
            }
        }
        return shards;
    }

    @Override
    public int length() {
        return samples.size();
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
        TarSample sample = samples.get(index);
        RgbImage image = RgbImage.decode(bytes(sample), sample.name() + " in " + sample.shard());
        image.write(CropBox.of(image.width(), image.height(), seed), size, into, at);
        return sample.classNumber();
    }

    private static byte[] bytes(TarSample sample) throws IOException {
        ByteBuffer file = ByteBuffer.allocate(sample.sizeBytes());
        try (FileChannel shard = FileChannel.open(sample.shard())) {
            while (file.hasRemaining()) {
                if (shard.read(file, sample.offset() + file.position()) < 0) {
                    throw new EOFException(sample.shard() + " has become shorter than when it was indexed");
                }
            }
        }
        return file.array();
    }

    @Override
    public void close() {}
}
