package io.loadertuner.core.loader.jcuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pixels against those of another decoder: Pillow makes images of several kinds, cuts the same parts out of them and scales them. JPEG
 * leaves decoders free to round; PNG does not.
 */
class PillowPixelsIT {
    private static final int SIZE = 64;
    private static final int SEEDS = 5;
    private static final int WIDTH = 217;
    private static final int HEIGHT = 163;
    private static final double[] MEAN = {0.485, 0.456, 0.406};
    private static final double[] DEVIATION = {0.229, 0.224, 0.225};

    /** Makes the images, then writes a file of bytes for each line: file, left, top, width, height, flipped, where to. */
    private static final String PILLOW = """
            import sys
            import numpy
            from PIL import Image, ImageFilter
            folder, size, width, height = sys.argv[1], *map(int, sys.argv[2:])
            noise = numpy.random.default_rng(3).integers(0, 256, (height, width, 3), dtype=numpy.uint8)
            image = Image.fromarray(noise).filter(ImageFilter.GaussianBlur(3))
            image = image.point(lambda value: max(0, min(255, 4 * (value - 96))))
            image.save(f"{folder}/even.jpg", quality=90, subsampling=0)
            image.save(f"{folder}/halved.jpg", quality=85, subsampling=2)
            image.save(f"{folder}/progressive.jpg", quality=85, progressive=True)
            image.convert("L").save(f"{folder}/grey.jpg", quality=90)
            image.save(f"{folder}/colour.png")
            image.convert("L").save(f"{folder}/grey.png")
            image.quantize(64).save(f"{folder}/palette.png")
            image.putalpha(image.convert("L"))
            image.save(f"{folder}/transparent.png")
            for line in sys.stdin:
                file, left, top, w, h, flipped, part = line.split()
                box = (int(left), int(top), int(left) + int(w), int(top) + int(h))
                with Image.open(f"{folder}/{file}") as opened:
                    pixels = opened.convert("RGB").crop(box).resize((size, size), Image.BILINEAR)
                if flipped == "true":
                    pixels = pixels.transpose(Image.FLIP_LEFT_RIGHT)
                with open(f"{folder}/{part}", "wb") as file:
                    file.write(pixels.tobytes())
            """;

    @TempDir
    Path folder;

    private void cutOutWithPillow(String image) throws IOException, InterruptedException {
        Process pillow = new ProcessBuilder(
                        Objects.requireNonNull(System.getProperty("loader-tuner.test.python")),
                        "-c",
                        PILLOW,
                        folder.toString(),
                        String.valueOf(SIZE),
                        String.valueOf(WIDTH),
                        String.valueOf(HEIGHT))
                .inheritIO()
                .redirectInput(ProcessBuilder.Redirect.PIPE)
                .start();
        try (Writer lines = pillow.outputWriter()) {
            for (int seed = 0; seed < SEEDS; seed++) {
                CropBox box = CropBox.of(WIDTH, HEIGHT, seed);
                lines.write("%s %d %d %d %d %b %d%n"
                        .formatted(image, box.left(), box.top(), box.width(), box.height(), box.flipped(), seed));
            }
        }
        assertThat(pillow.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(pillow.exitValue()).isZero();
    }

    /** How far the pixels lie from Pillow's, of 255: at most, and in the mean. */
    private double[] distances(String image) throws IOException, CorruptSampleException {
        RgbImage decoded = RgbImage.decode(Files.readAllBytes(folder.resolve(image)), image);
        ByteBuffer values = ByteBuffer.allocate(3 * SIZE * SIZE * Float.BYTES).order(ByteOrder.nativeOrder());
        double farthest = 0;
        double sum = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            decoded.write(CropBox.of(WIDTH, HEIGHT, seed), SIZE, values, 0);
            byte[] expected = Files.readAllBytes(folder.resolve(String.valueOf(seed)));
            for (int channel = 0; channel < 3; channel++) {
                for (int pixel = 0; pixel < SIZE * SIZE; pixel++) {
                    float value = values.getFloat(Float.BYTES * (channel * SIZE * SIZE + pixel));
                    double ours = (value * DEVIATION[channel] + MEAN[channel]) * 255;
                    double distance = Math.abs(ours - (expected[3 * pixel + channel] & 0xff));
                    farthest = Math.max(farthest, distance);
                    sum += distance;
                }
            }
        }
        return new double[] {farthest, sum / (SEEDS * 3 * SIZE * SIZE)};
    }

    @ParameterizedTest
    @ValueSource(strings = {"colour.png", "grey.png", "palette.png", "transparent.png"})
    void pixelsOfPngAreThose(String image) throws Exception {
        cutOutWithPillow(image);

        assertThat(distances(image)[0]).isLessThan(0.01);
    }

    @ParameterizedTest
    @ValueSource(strings = {"even.jpg", "halved.jpg", "progressive.jpg", "grey.jpg"})
    void pixelsOfJpegAreThoseButForRounding(String image) throws Exception {
        cutOutWithPillow(image);

        double[] distances = distances(image);
        assertThat(distances[0]).as("at most").isLessThanOrEqualTo(3.01);
        assertThat(distances[1]).as("in the mean").isLessThanOrEqualTo(0.5);
    }
}
