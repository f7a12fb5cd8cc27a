package io.loadertuner.core.loader.jcuda;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import org.jspecify.annotations.Nullable;

/** An image as it was decoded: red, green and blue of each pixel, eight bits each, row by row. */
final class RgbImage {
    private static final int CHANNELS = 3;
    /** ImageNet's, as torchvision's models expect it. */
    private static final float[] MEAN = {0.485f, 0.456f, 0.406f};

    private static final float[] DEVIATION = {0.229f, 0.224f, 0.225f};
    private static final float[][] NORMALISED = normalised();

    private final int width;
    private final int height;
    private final byte[] pixels;

    private RgbImage(int width, int height, byte[] pixels) {
        this.width = width;
        this.height = height;
        this.pixels = pixels;
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    private static float[][] normalised() {
        float[][] table = new float[CHANNELS][256];
        for (int channel = 0; channel < CHANNELS; channel++) {
            for (int value = 0; value < 256; value++) {
                table[channel][value] = (value / 255f - MEAN[channel]) / DEVIATION[channel];
            }
        }
        return table;
    }

    /**
     * Decodes a JPEG or PNG file.
     *
     * @param name what an error calls it
     * @throws CorruptSampleException if it cannot be decoded to its end
     */
    static RgbImage decode(byte[] file, String name) throws CorruptSampleException {
        try (ImageInputStream input = new MemoryCacheImageInputStream(new ByteArrayInputStream(file))) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(input);
            if (!readers.hasNext()) {
                throw new CorruptSampleException("cannot decode " + name + ": it is no JPEG or PNG");
            }
            ImageReader reader = readers.next();
            try {
                AtomicReference<@Nullable String> cutOff = new AtomicReference<>();
                reader.addIIOReadWarningListener((source, warning) -> {
                    if (tellsOfACut(warning)) {
                        cutOff.set(warning);
                    }
                });
                reader.setInput(input, true, true);
                BufferedImage image = reader.read(0);
                if (cutOff.get() != null) {
                    throw new CorruptSampleException("cannot decode " + name + ": " + cutOff.get());
                }
                return of(image);
            } finally {
                reader.dispose();
            }
        } catch (IOException | RuntimeException undecodable) {
            throw new CorruptSampleException("cannot decode " + name + ": " + undecodable.getMessage(), undecodable);
        }
    }

    /** The decoder fills up what is missing of a JPEG with grey and only warns. */
    private static boolean tellsOfACut(String warning) {
        String text = warning.toLowerCase(Locale.ROOT);
        return text.contains("premature") || text.contains("truncated") || text.contains("missing eoi");
    }

    private static RgbImage of(BufferedImage image) {
        int width = image.getWidth();
        int height = image.getHeight();
        byte[] pixels = new byte[CHANNELS * width * height];
        if (image.getType() == BufferedImage.TYPE_3BYTE_BGR
                && image.getRaster().getDataBuffer() instanceof DataBufferByte buffer
                && buffer.getData().length == pixels.length) {
            turned(buffer.getData(), pixels);
        } else if (image.getType() == BufferedImage.TYPE_BYTE_GRAY) {
            grey(image.getRaster(), pixels);
        } else {
            anyKind(image, pixels);
        }
        return new RgbImage(width, height, pixels);
    }

    private static void turned(byte[] blueGreenRed, byte[] pixels) {
        for (int at = 0; at < pixels.length; at += CHANNELS) {
            pixels[at] = blueGreenRed[at + 2];
            pixels[at + 1] = blueGreenRed[at + 1];
            pixels[at + 2] = blueGreenRed[at];
        }
    }

    /** Taken as they are: Java's own conversion takes grey for linear light. */
    private static void grey(Raster raster, byte[] pixels) {
        int width = raster.getWidth();
        int[] row = new int[width];
        for (int y = 0; y < raster.getHeight(); y++) {
            raster.getSamples(0, y, width, 1, 0, row);
            for (int x = 0; x < width; x++) {
                int at = CHANNELS * (y * width + x);
                byte value = (byte) row[x];
                pixels[at] = value;
                pixels[at + 1] = value;
                pixels[at + 2] = value;
            }
        }
    }

    /** What is transparent keeps its colour. */
    private static void anyKind(BufferedImage image, byte[] pixels) {
        int width = image.getWidth();
        int[] row = new int[width];
        for (int y = 0; y < image.getHeight(); y++) {
            image.getRGB(0, y, width, 1, row, 0, width);
            for (int x = 0; x < width; x++) {
                int at = CHANNELS * (y * width + x);
                pixels[at] = (byte) (row[x] >> 16);
                pixels[at + 1] = (byte) (row[x] >> 8);
                pixels[at + 2] = (byte) row[x];
            }
        }
    }

    /**
     * Writes a part of it, scaled to a square and normalised: {@code float32}, one channel after the other.
     *
     * @param size edge of the square in pixels
     * @param at where the first value goes, in bytes
     */
    void write(CropBox part, int size, ByteBuffer into, int at) {
        TriangleFilter across = TriangleFilter.of(part.width(), size);
        TriangleFilter down = TriangleFilter.of(part.height(), size);
        byte[] narrowed = new byte[CHANNELS * size * part.height()];
        for (int y = 0; y < part.height(); y++) {
            int line = CHANNELS * ((part.top() + y) * width + part.left());
            for (int x = 0; x < size; x++) {
                for (int channel = 0; channel < CHANNELS; channel++) {
                    narrowed[CHANNELS * (y * size + x) + channel] =
                            (byte) across.apply(x, pixels, line + channel, CHANNELS);
                }
            }
        }
        for (int channel = 0; channel < CHANNELS; channel++) {
            float[] value = NORMALISED[channel];
            for (int y = 0; y < size; y++) {
                for (int x = 0; x < size; x++) {
                    int column = part.flipped() ? size - 1 - x : x;
                    int pixel = down.apply(y, narrowed, CHANNELS * column + channel, CHANNELS * size);
                    into.putFloat(at + Float.BYTES * ((channel * size + y) * size + x), value[pixel]);
                }
            }
        }
    }
}
