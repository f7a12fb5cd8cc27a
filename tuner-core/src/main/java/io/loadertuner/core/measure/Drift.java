package io.loadertuner.core.measure;

import java.util.Collections;
import java.util.List;

/**
 * A machine's mood as rounds of one config meet it: it wanders, and what it is now it mostly is a minute later (an
 * Ornstein–Uhlenbeck process). Rounds that lie close together share it, so their own scatter says little of how far their
 * mean lies from that of a longer time.
 */
final class Drift {
    /** Time in which the mood's correlation falls to 1/e, as recorded on shared machines. */
    private static final double MEMORY_SECONDS = 94;

    private Drift() {}

    /**
     * Variance of the mean mood at these times about the mean mood from 0 to the last of them, as a share of the mood's own
     * variance; 0 where no time has passed.
     *
     * @param seconds at least 0; not empty
     */
    static double shareOfVariance(List<Double> seconds) {
        double end = Collections.max(seconds) / MEMORY_SECONDS;
        if (end == 0) {
            return 0;
        }
        double withEachOther = 0;
        double withTheWhole = 0;
        for (double one : seconds) {
            double at = one / MEMORY_SECONDS;
            withTheWhole += (2 - Math.exp(-at) - Math.exp(at - end)) / end;
            for (double other : seconds) {
                withEachOther += Math.exp(-Math.abs(one - other) / MEMORY_SECONDS);
            }
        }
        int count = seconds.size();
        double ofTheWhole = 2 * (end - 1 + Math.exp(-end)) / (end * end);
        return Math.max(0, withEachOther / count / count - 2 * withTheWhole / count + ofTheWhole);
    }
}
