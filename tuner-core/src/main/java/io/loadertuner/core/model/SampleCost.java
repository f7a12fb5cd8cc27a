package io.loadertuner.core.model;

import java.util.random.RandomGenerator;

/** How long one sample takes, as a distribution over samples that know nothing of each other. */
public sealed interface SampleCost {

    /** No time at all. */
    SampleCost NONE = new Constant(0);

    double meanSeconds();

    /** What {@code samples} of them take together, drawn from {@code random}. */
    double sumSeconds(int samples, RandomGenerator random);

    static SampleCost constant(double seconds) {
        return new Constant(seconds);
    }

    static SampleCost lognormal(double meanSeconds, double coefficientOfVariation) {
        return new Lognormal(meanSeconds, coefficientOfVariation);
    }

    static SampleCost bimodal(double fastSeconds, double slowSeconds, double slowShare) {
        return new Bimodal(fastSeconds, slowSeconds, slowShare);
    }

    /**
     * Every sample takes the same.
     *
     * @param seconds at least 0
     */
    record Constant(double seconds) implements SampleCost {
        public Constant {
            Bounds.notNegative("seconds", seconds);
        }

        @Override
        public double meanSeconds() {
            return seconds;
        }

        @Override
        public double sumSeconds(int samples, RandomGenerator random) {
            return samples * seconds;
        }
    }

    /**
     * Many small samples and a tail of large ones, as decoding has. The sum is drawn as one log-normal value with the
     * sum's own mean and deviation (Fenton and Wilkinson's approximation; exact for one sample).
     *
     * @param meanSeconds at least 0
     * @param coefficientOfVariation standard deviation over mean, at least 0
     */
    record Lognormal(double meanSeconds, double coefficientOfVariation) implements SampleCost {
        public Lognormal {
            Bounds.notNegative("meanSeconds", meanSeconds);
            Bounds.notNegative("coefficientOfVariation", coefficientOfVariation);
        }

        @Override
        public double sumSeconds(int samples, RandomGenerator random) {
            double variance = Math.log1p(coefficientOfVariation * coefficientOfVariation / samples);
            return samples * meanSeconds * Math.exp(random.nextGaussian() * Math.sqrt(variance) - variance / 2);
        }
    }

    /**
     * Two kinds of samples, as a cache that holds a part of them gives.
     *
     * @param fastSeconds at least 0
     * @param slowSeconds at least 0
     * @param slowShare of the samples, 0 to 1
     */
    record Bimodal(double fastSeconds, double slowSeconds, double slowShare) implements SampleCost {
        /** So few that the chance of none among them is not lost to rounding. */
        private static final int MOST_AT_ONCE = 256;

        public Bimodal {
            Bounds.notNegative("fastSeconds", fastSeconds);
            Bounds.notNegative("slowSeconds", slowSeconds);
            if (!(slowShare >= 0 && slowShare <= 1)) {
                throw new IllegalArgumentException("slowShare must be 0 to 1, but is " + slowShare);
            }
        }

        @Override
        public double meanSeconds() {
            return fastSeconds + slowShare * (slowSeconds - fastSeconds);
        }

        @Override
        public double sumSeconds(int samples, RandomGenerator random) {
            int slow = 0;
            for (int left = samples; left > 0; left -= MOST_AT_ONCE) {
                slow += binomial(Math.min(left, MOST_AT_ONCE), slowShare, random.nextDouble());
            }
            return (samples - slow) * fastSeconds + slow * slowSeconds;
        }

        /**
         * The binomial distribution's quantile at {@code probability}, by adding up chances: a batch is drawn some million
         * times, and a general distribution would work out an incomplete beta function at every step.
         */
        private static int binomial(int trials, double share, double probability) {
            if (share > 0.5) {
                return trials - binomial(trials, 1 - share, probability);
            }
            double odds = share / (1 - share);
            double chance = Math.pow(1 - share, trials);
            double above = probability - chance;
            int successes = 0;
            while (above >= 0 && successes < trials) {
                chance *= odds * (trials - successes) / (successes + 1);
                successes++;
                above -= chance;
            }
            return successes;
        }
    }
}
