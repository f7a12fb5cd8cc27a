package io.loadertuner.core.loader.jcuda;

/**
 * Weights that scale one axis: a triangle as wide as two input pixels, and wider by the scale where pixels become fewer, as
 * Pillow's {@code BILINEAR} has it. Where an output pixel reaches over the edge, what is there counts the more.
 *
 * <p>Weights are whole numbers over 2<sup>22</sup>, so that eight bits times a weight, summed up, fit into an {@code int}.
 */
final class TriangleFilter {
    static final int PRECISION_BITS = 22;

    private final int[] first;
    private final int[][] weights;

    private TriangleFilter(int[] first, int[][] weights) {
        this.first = first;
        this.weights = weights;
    }

    /**
     * @param from input pixels, at least 1
     * @param to output pixels, at least 1
     */
    static TriangleFilter of(int from, int to) {
        double scale = (double) from / to;
        double reach = Math.max(1, scale);
        int[] first = new int[to];
        int[][] weights = new int[to][];
        for (int pixel = 0; pixel < to; pixel++) {
            double centre = (pixel + 0.5) * scale;
            first[pixel] = Math.max(0, (int) (centre - reach + 0.5));
            int end = Math.min(from, (int) (centre + reach + 0.5));
            weights[pixel] = whole(shares(first[pixel], end, centre, reach));
        }
        return new TriangleFilter(first, weights);
    }

    private static double[] shares(int first, int end, double centre, double reach) {
        double[] shares = new double[end - first];
        double sum = 0;
        for (int index = 0; index < shares.length; index++) {
            shares[index] = Math.max(0, 1 - Math.abs(first + index + 0.5 - centre) / reach);
            sum += shares[index];
        }
        for (int index = 0; index < shares.length; index++) {
            shares[index] /= sum;
        }
        return shares;
    }

    private static int[] whole(double[] shares) {
        int[] weights = new int[shares.length];
        for (int index = 0; index < shares.length; index++) {
            weights[index] = (int) Math.round(shares[index] * (1 << PRECISION_BITS));
        }
        return weights;
    }

    /**
     * One output pixel.
     *
     * @param pixels eight bits each
     * @param at of the first input pixel of the line
     * @param step from one input pixel of the line to the next
     */
    int apply(int pixel, byte[] pixels, int at, int step) {
        int[] mine = weights[pixel];
        int sum = 1 << (PRECISION_BITS - 1);
        int place = at + first[pixel] * step;
        for (int weight : mine) {
            sum += (pixels[place] & 0xff) * weight;
            place += step;
        }
        return Math.min(255, sum >>> PRECISION_BITS);
    }
}
