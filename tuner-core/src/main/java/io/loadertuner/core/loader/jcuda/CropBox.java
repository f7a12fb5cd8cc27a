package io.loadertuner.core.loader.jcuda;

import java.util.SplittableRandom;

/**
 * A part of an image, and whether it is turned left to right: drawn as torchvision's {@code RandomResizedCrop} and
 * {@code RandomHorizontalFlip} draw theirs, with their usual scale and ratio.
 *
 * @param left first column, from 0
 * @param top first row, from 0
 * @param width columns, at least 1
 * @param height rows, at least 1
 */
record CropBox(int left, int top, int width, int height, boolean flipped) {
    private static final double LEAST_AREA = 0.08;
    private static final double LEAST_RATIO = 3.0 / 4;
    private static final double GREATEST_RATIO = 4.0 / 3;
    private static final int ATTEMPTS = 10;

    /** One of an image of that size; the same for the same seed. */
    static CropBox of(int imageWidth, int imageHeight, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            double area = (double) imageWidth * imageHeight * random.nextDouble(LEAST_AREA, 1);
            double ratio = Math.exp(random.nextDouble(Math.log(LEAST_RATIO), Math.log(GREATEST_RATIO)));
            int width = (int) Math.rint(Math.sqrt(area * ratio));
            int height = (int) Math.rint(Math.sqrt(area / ratio));
            if (width > 0 && width <= imageWidth && height > 0 && height <= imageHeight) {
                return new CropBox(
                        random.nextInt(imageWidth - width + 1),
                        random.nextInt(imageHeight - height + 1),
                        width,
                        height,
                        random.nextBoolean());
            }
        }
        return middle(imageWidth, imageHeight, random.nextBoolean());
    }

    /** The largest part in the middle whose ratio is allowed. */
    private static CropBox middle(int imageWidth, int imageHeight, boolean flipped) {
        double ratio = (double) imageWidth / imageHeight;
        int width = ratio > GREATEST_RATIO ? (int) Math.rint(imageHeight * GREATEST_RATIO) : imageWidth;
        int height = ratio < LEAST_RATIO ? (int) Math.rint(imageWidth / LEAST_RATIO) : imageHeight;
        return new CropBox((imageWidth - width) / 2, (imageHeight - height) / 2, width, height, flipped);
    }
}
