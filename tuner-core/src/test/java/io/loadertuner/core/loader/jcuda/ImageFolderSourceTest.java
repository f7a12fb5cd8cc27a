package io.loadertuner.core.loader.jcuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageFolderSourceTest {
    private static final int SIZE = 8;

    @TempDir
    Path folder;

    private Path image(String name, int type, int rgb) throws IOException {
        BufferedImage image = new BufferedImage(40, 30, type);
        for (int y = 0; y < 30; y++) {
            for (int x = 0; x < 40; x++) {
                image.setRGB(x, y, rgb);
            }
        }
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        String format = name.substring(name.lastIndexOf('.') + 1);
        assertThat(ImageIO.write(image, format, file.toFile())).isTrue();
        return file;
    }

    /** What torchvision makes of a value from 0 to 255 of a channel. */
    private static float normalised(int value, int channel) {
        double[] mean = {0.485, 0.456, 0.406};
        double[] deviation = {0.229, 0.224, 0.225};
        return (float) ((value / 255.0 - mean[channel]) / deviation[channel]);
    }

    private static ByteBuffer read(ImageFolderSource source, int index) throws IOException, CorruptSampleException {
        ByteBuffer into = ByteBuffer.allocateDirect(source.sampleBytes()).order(ByteOrder.nativeOrder());
        source.read(index, 5, into, 0);
        return into;
    }

    private static void requireEven(ByteBuffer sample, int... rgb) {
        for (int channel = 0; channel < 3; channel++) {
            for (int pixel = 0; pixel < SIZE * SIZE; pixel++) {
                assertThat(sample.getFloat(4 * (channel * SIZE * SIZE + pixel)))
                        .as("channel %d, pixel %d", channel, pixel)
                        .isEqualTo(normalised(rgb[channel], channel), within(1e-5f));
            }
        }
    }

    @Test
    void channelsComeOneAfterTheOtherNormalised() throws Exception {
        image("a/one.png", BufferedImage.TYPE_INT_RGB, 0x0a80ff);

        try (ImageFolderSource source = ImageFolderSource.open(folder, SIZE)) {
            assertThat(source.shape()).isEqualTo(List.of(3, SIZE, SIZE));
            assertThat(source.sampleBytes()).isEqualTo(3 * SIZE * SIZE * 4);
            requireEven(read(source, 0), 0x0a, 0x80, 0xff);
        }
    }

    @Test
    void greyStaysAsItIsAndWhatIsTransparentKeepsItsColour() throws Exception {
        BufferedImage grey = new BufferedImage(40, 30, BufferedImage.TYPE_BYTE_GRAY);
        byte[] pixels = new byte[40 * 30];
        Arrays.fill(pixels, (byte) 100);
        grey.getRaster().setDataElements(0, 0, 40, 30, pixels);
        Files.createDirectories(folder.resolve("a"));
        ImageIO.write(grey, "png", folder.resolve("a/grey.png").toFile());
        image("b/clear.png", BufferedImage.TYPE_INT_ARGB, 0x20c86432);

        try (ImageFolderSource source = ImageFolderSource.open(folder, SIZE)) {
            requireEven(read(source, 0), 100, 100, 100);
            requireEven(read(source, 1), 0xc8, 0x64, 0x32);
        }
    }

    @Test
    void classesAreNumberedByTheirNamesAndFilesFollowTheirs() throws Exception {
        image("cats/b.png", BufferedImage.TYPE_INT_RGB, 0);
        image("cats/deep/a.JPEG", BufferedImage.TYPE_INT_RGB, 0);
        image("ants/z.jpg", BufferedImage.TYPE_INT_RGB, 0);
        image("beside.png", BufferedImage.TYPE_INT_RGB, 0);
        Files.writeString(folder.resolve("cats/notes.txt"), "no image");

        try (ImageFolderSource source = ImageFolderSource.open(folder, SIZE)) {
            assertThat(source.length()).isEqualTo(3);
            ByteBuffer into = ByteBuffer.allocateDirect(source.sampleBytes()).order(ByteOrder.nativeOrder());
            assertThat(List.of(source.read(0, 1, into, 0), source.read(1, 1, into, 0), source.read(2, 1, into, 0)))
                    .containsExactly(0L, 1L, 1L);
        }
    }

    @Test
    void aLinkThatLeadsOutIsNotFollowed(@TempDir Path elsewhere) throws Exception {
        image("a/one.png", BufferedImage.TYPE_INT_RGB, 0);
        Files.copy(folder.resolve("a/one.png"), elsewhere.resolve("secret.png"));
        Files.createSymbolicLink(folder.resolve("a/link.png"), elsewhere.resolve("secret.png"));
        Files.createSymbolicLink(folder.resolve("b"), elsewhere);

        try (ImageFolderSource source = ImageFolderSource.open(folder, SIZE)) {
            assertThat(source.length()).isEqualTo(1);
        }
    }

    @Test
    void theSeedDecidesWhatIsCutOut() throws Exception {
        BufferedImage image = new BufferedImage(64, 64, BufferedImage.TYPE_INT_RGB);
        for (int x = 0; x < 64; x++) {
            for (int y = 0; y < 64; y++) {
                image.setRGB(x, y, (4 * x) << 16 | (4 * y) << 8);
            }
        }
        Files.createDirectories(folder.resolve("a"));
        ImageIO.write(image, "png", folder.resolve("a/slope.png").toFile());

        try (ImageFolderSource source = ImageFolderSource.open(folder, SIZE)) {
            ByteBuffer one = ByteBuffer.allocateDirect(source.sampleBytes()).order(ByteOrder.nativeOrder());
            ByteBuffer same = ByteBuffer.allocateDirect(source.sampleBytes()).order(ByteOrder.nativeOrder());
            ByteBuffer other = ByteBuffer.allocateDirect(source.sampleBytes()).order(ByteOrder.nativeOrder());
            source.read(0, 1, one, 0);
            source.read(0, 1, same, 0);
            source.read(0, 2, other, 0);

            assertThat(one).isEqualTo(same).isNotEqualTo(other);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jpg", "png"})
    void aFileThatIsCutOffIsNamed(String format) throws Exception {
        BufferedImage noise = new BufferedImage(64, 64, BufferedImage.TYPE_INT_RGB);
        for (int pixel = 0; pixel < 64 * 64; pixel++) {
            noise.setRGB(pixel % 64, pixel / 64, pixel * 0x9e3779);
        }
        Path file = folder.resolve("a/cut." + format);
        Files.createDirectories(file.getParent());
        ImageIO.write(noise, format, file.toFile());
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));

        try (ImageFolderSource source = ImageFolderSource.open(folder, SIZE)) {
            assertThatThrownBy(() -> read(source, 0))
                    .isInstanceOf(CorruptSampleException.class)
                    .hasMessageContaining("cut." + format);
        }
    }

    @Test
    void whatIsNoImageIsNamed() throws Exception {
        Files.createDirectories(folder.resolve("a"));
        Files.createFile(folder.resolve("a/empty.jpg"));
        Files.writeString(folder.resolve("a/text.png"), "no image at all");

        try (ImageFolderSource source = ImageFolderSource.open(folder, SIZE)) {
            assertThatThrownBy(() -> read(source, 0))
                    .isInstanceOf(CorruptSampleException.class)
                    .hasMessageContaining("empty.jpg");
            assertThatThrownBy(() -> read(source, 1))
                    .isInstanceOf(CorruptSampleException.class)
                    .hasMessageContaining("text.png");
        }
    }

    @Test
    void aFolderWithoutImagesIsRefused() {
        assertThatThrownBy(() -> ImageFolderSource.open(folder, SIZE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has no images");
    }
}
