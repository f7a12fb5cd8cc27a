package io.loadertuner.core.replay;

/**
 * How much the rounds of one config differed when it was recorded, in one study: most of the machine's drift they shared.
 *
 * @param logRateDeviation standard deviation of the natural logarithm of its rounds' rates, at least 0
 * @param rounds that it was seen in, at least 2
 */
public record RecordedNoise(double logRateDeviation, int rounds) {
    /** What is usual counts as much as so many more rounds, as in a comparison: two rounds alike are luck. */
    private static final int DEGREES_OF_WHAT_IS_USUAL = 4;

    public RecordedNoise {
        if (!(logRateDeviation >= 0 && logRateDeviation < Double.POSITIVE_INFINITY && rounds >= 2)) {
            throw new IllegalArgumentException("a deviation is at least 0 and seen in 2 rounds or more, but this is "
                    + logRateDeviation + " in " + rounds);
        }
    }

    /**
     * The deviation that every round has anew, without drift.
     *
     * @param usual the same where nothing is recorded
     */
    double perRound(double usual) {
        int degrees = rounds - 1;
        double squares = DEGREES_OF_WHAT_IS_USUAL * usual * usual + degrees * logRateDeviation * logRateDeviation;
        return Math.sqrt(squares / (DEGREES_OF_WHAT_IS_USUAL + degrees));
    }
}
