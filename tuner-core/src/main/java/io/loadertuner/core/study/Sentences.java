package io.loadertuner.core.study;

import io.loadertuner.core.measure.Ratio;
import java.util.Locale;

/** Numbers as people read them, the same in every explanation. */
final class Sentences {
    private Sentences() {}

    static String rate(double samplesPerSecond) {
        return String.format(Locale.ROOT, samplesPerSecond < 10 ? "%.2f/s" : "%.0f/s", samplesPerSecond);
    }

    static String ratio(Ratio ratio) {
        return String.format(
                Locale.ROOT,
                "ratio %.2f [%.2f–%.2f] in %d paired %s",
                ratio.ratio(),
                ratio.low(),
                ratio.high(),
                ratio.rounds(),
                ratio.rounds() == 1 ? "round" : "rounds");
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, share < 0.01 ? "%.1f %%" : "%.0f %%", 100 * share);
    }
}
