package io.loadertuner.core.measure;

import java.util.Arrays;
import java.util.List;

/** Ways to say where the middle of some noisy values lies. */
public enum Location {
    /** The middle value: what a disturbed round cannot move. */
    MEDIAN(Math.sqrt(Math.PI / 2)) {
        @Override
        public double of(List<Double> values) {
            return median(values.stream().mapToDouble(Double::doubleValue).toArray());
        }
    },

    /**
     * The median of the means of all pairs (Hodges and Lehmann, 1963). As precise as a mean where values are normal, so that it
     * needs a third fewer rounds than a median, and still unmoved by a quarter of disturbed rounds.
     */
    HODGES_LEHMANN(Math.sqrt(Math.PI / 3)) {
        @Override
        public double of(List<Double> values) {
            int count = values.size();
            double[] means = new double[count * (count + 1) / 2];
            int next = 0;
            for (int first = 0; first < count; first++) {
                for (int second = first; second < count; second++) {
                    means[next++] = (values.get(first) + values.get(second)) / 2;
                }
            }
            return median(means);
        }
    };

    private final double overMean;

    /**
     * @param overMean its standard error over a mean's, where values are normal and many
     */
    Location(double overMean) {
        this.overMean = overMean;
    }

    /**
     * @param values not empty
     */
    public abstract double of(List<Double> values);

    /** Its standard error over a mean's for {@code count} normal values; up to two values it is the mean. */
    double overMean(int count) {
        return count <= 2 ? 1 : overMean;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
