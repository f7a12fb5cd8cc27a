package io.loadertuner.core.measure;

/**
 * How many times one rate is another.
 *
 * @param ratio above 0
 * @param low lower end of its 95 % interval
 * @param high upper end of it
 * @param rounds paired rounds it rests on
 */
public record Ratio(double ratio, double low, double high, int rounds) {

    public Verdict verdict() {
        if (low > 1) {
            return Verdict.BETTER;
        }
        return high < 1 ? Verdict.WORSE : Verdict.CANNOT_TELL;
    }
}
