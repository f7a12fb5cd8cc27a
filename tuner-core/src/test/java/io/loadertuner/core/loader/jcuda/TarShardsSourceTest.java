package io.loadertuner.core.loader.jcuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shards are made by {@code tar}, so that another program than the one that reads them says what a tar file is. */
class TarShardsSourceTest {
    private static final int SIZE = 16;

    @TempDir
    Path folder;

    private String image(String name, int grey) throws IOException {
        BufferedImage image = new BufferedImage(40, 30, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < 30; y++) {
            for (int x = 0; x < 40; x++) {
                image.setRGB(x, y, (grey + x) << 16 | (grey + y) << 8 | grey);
            }
        }
        Path file = Files.createDirectories(
                        folder.resolve("files").resolve(name).getParent())
                .resolve(Path.of(name).getFileName());
        assertThat(ImageIO.write(image, name.substring(name.lastIndexOf('.') + 1), file.toFile()))
                .isTrue();
        return name;
    }

    private String text(String name, String text) throws IOException {
        Path file = folder.resolve("files").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return name;
    }

    private Path shard(String name, String... members) throws IOException, InterruptedException {
        Path shard = Files.createDirectories(folder.resolve("shards")).resolve(name);
        List<String> command =
                new ArrayList<>(List.of("tar", "-C", folder.resolve("files").toString(), "-cf", shard.toString()));
        command.addAll(List.of(members));
        Process tar = new ProcessBuilder(command).inheritIO().start();
        assertThat(tar.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(tar.exitValue()).isZero();
        return shard;
    }

    private static ByteBuffer read(SampleSource source, int index) throws IOException, CorruptSampleException {
        ByteBuffer into = ByteBuffer.allocate(source.sampleBytes());
        source.read(index, 5, into, 0);
        return into;
    }

    private static long label(SampleSource source, int index) throws IOException, CorruptSampleException {
        return source.read(index, 5, ByteBuffer.allocate(source.sampleBytes()), 0);
    }

    @Test
    void samplesAreThoseOfTheFilesInTheOrderOfTheShards() throws Exception {
        shard("b.tar", image("late.png", 10), text("late.cls", "7"));
        shard(
                "a.tar",
                text("x/one.cls", "3\n"),
                image("x/one.jpg", 40),
                text("x/one.txt", "a caption"),
                image("x/two.rgb.png", 90),
                text("x/two.cls", "horse"),
                text("README", "no sample"));

        try (TarShardsSource source = TarShardsSource.open(folder.resolve("shards"), SIZE);
                ImageFolderSource files = ImageFolderSource.open(folder.resolve("files"), SIZE)) {
            assertThat(source.length()).isEqualTo(3);
            assertThat(source.shape()).containsExactly(3, SIZE, SIZE);
            assertThat(IntStream.range(0, 3)
                            .mapToObj(index -> {
                                try {
                                    return label(source, index);
                                } catch (IOException | CorruptSampleException unexpected) {
                                    throw new AssertionError(unexpected);
                                }
                            })
                            .toList())
                    .containsExactly(3L, 0L, 7L);
            // The folder x is the only class folder, with one.jpg and two.rgb.png.
            assertThat(read(source, 0)).isEqualTo(read(files, 0));
            assertThat(read(source, 1)).isEqualTo(read(files, 1)).isNotEqualTo(read(source, 0));
        }
    }

    @Test
    void aSingleShardWillDo() throws Exception {
        Path shard = shard("one.tar", image("a.jpg", 1), image("b.jpg", 2));

        try (TarShardsSource source = TarShardsSource.open(shard, SIZE)) {
            assertThat(source.length()).isEqualTo(2);
        }
    }

    @Test
    void samplesInDifferentFoldersAreDifferentSamples() throws Exception {
        Path shard = shard("one.tar", image("x/a.jpg", 1), image("y/a.jpg", 2));

        try (TarShardsSource source = TarShardsSource.open(shard, SIZE)) {
            assertThat(source.length()).isEqualTo(2);
        }
    }

    @Test
    void aCorruptImageIsNamedWithItsShardAndTheOthersAreRead() throws Exception {
        Path shard = shard("one.tar", image("a.jpg", 1), text("b.jpg", "no image at all"), text("c.jpg", ""));

        try (TarShardsSource source = TarShardsSource.open(shard, SIZE)) {
            assertThatThrownBy(() -> read(source, 1))
                    .isInstanceOf(CorruptSampleException.class)
                    .hasMessageContaining("b.jpg in " + shard);
            assertThatThrownBy(() -> read(source, 2)).isInstanceOf(CorruptSampleException.class);
            assertThat(read(source, 0).hasRemaining()).isTrue();
        }
    }

    @Test
    void aShardThatIsCutOffIsNamed() throws Exception {
        Path shard = shard("one.tar", image("a.png", 1), image("b.png", 2));
        byte[] whole = Files.readAllBytes(shard);
        int second = new String(whole, StandardCharsets.ISO_8859_1).indexOf("b.png");
        Files.write(shard, Arrays.copyOf(whole, second + 512 + 10));

        assertThatThrownBy(() -> TarShardsSource.open(shard, SIZE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot index " + shard);
    }

    @Test
    void whatIsNoTarFileOrHasNoImagesIsRefused() throws Exception {
        Path text =
                Files.writeString(Files.createDirectories(folder.resolve("t")).resolve("x.tar"), "x".repeat(2000));
        assertThatThrownBy(() -> TarShardsSource.open(text, SIZE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("x.tar");
        Path captions = shard("captions.tar", text("a.txt", "a"), text("a.cls", "1"));
        assertThatThrownBy(() -> TarShardsSource.open(captions, SIZE))
                .hasMessageContainingAll("captions.tar", "sample a has no image", ".jpg");
        Path empty = Files.createDirectories(folder.resolve("empty"));
        assertThatThrownBy(() -> TarShardsSource.open(empty, SIZE)).hasMessageContaining("has no samples");
    }

    @Test
    void linksOutOfTheFolderAreNotFollowed() throws Exception {
        Path outside = shard("one.tar", image("a.jpg", 1));
        Path links = Files.createDirectories(folder.resolve("links"));
        Files.createSymbolicLink(links.resolve("link.tar"), outside);

        assertThatThrownBy(() -> TarShardsSource.open(links, SIZE)).hasMessageContaining("has no samples");
    }

    @Test
    void aShardThatBecomesShorterIsNamed() throws Exception {
        Path shard = shard("one.tar", image("a.jpg", 1), image("b.jpg", 2));
        try (TarShardsSource source = TarShardsSource.open(shard, SIZE)) {
            Files.write(shard, new byte[600]);

            assertThatThrownBy(() -> read(source, 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll(shard.toString(), "shorter");
        }
    }

    @Test
    void theyAreLoadedAsAnyOtherSource() throws Exception {
        Path shard = shard("one.tar", image("a.jpg", 1), image("b.jpg", 2), image("c.jpg", 3));
        try (TarShardsSource source = TarShardsSource.open(shard, SIZE);
                DataLoader loader = DataLoader.builder(source)
                        .batchSize(2)
                        .numWorkers(2)
                        .seed(3)
                        .build()) {
            List<Integer> seen = new ArrayList<>();
            for (Batch batch : loader) {
                for (int sample = 0; sample < batch.samples(); sample++) {
                    seen.add(batch.index(sample));
                }
            }
            assertThat(seen).containsExactlyInAnyOrder(0, 1, 2);
        }
    }
}
