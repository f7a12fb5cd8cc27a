package io.loadertuner.core.replay;

/**
 * How a machine disturbs what is measured on it. Both deviations are of the rate's logarithm.
 *
 * @param perRound standard deviation that every round has anew
 * @param drift standard deviation of the machine's mood, which neighbouring rounds share
 * @param driftMemorySeconds time in which the mood's correlation falls to 1/e
 */
public record NoiseProfile(double perRound, double drift, double driftMemorySeconds) {
    /**
     * Two shared cores as recorded: interleaved repeats within two minutes deviate by 7.5 %; over half an hour residuals
     * deviate by 13 %, and their correlation of 0.44 at 9 s and 0.30 at 45 s gives a memory of 94 s.
     */
    public static final NoiseProfile SHARED = new NoiseProfile(0.075, 0.10, 94);

    /** A machine that does nothing else. */
    public static final NoiseProfile QUIET = new NoiseProfile(0.025, 0.015, 94);

    /** Every repeat gives the same. */
    public static final NoiseProfile NONE = new NoiseProfile(0, 0, 94);

    public NoiseProfile {
        if (!(perRound >= 0 && drift >= 0 && driftMemorySeconds > 0)) {
            throw new IllegalArgumentException("deviations are at least 0 and the memory is above 0, but this is "
                    + perRound + ", " + drift + " and " + driftMemorySeconds + " s");
        }
    }

    /** Standard deviation of single rounds far apart in time. */
    double deviation() {
        return Math.hypot(perRound, drift);
    }
}
