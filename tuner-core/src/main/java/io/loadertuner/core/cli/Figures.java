package io.loadertuner.core.cli;

import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.measure.Throughput;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers as a terminal shows them. */
final class Figures {
    private Figures() {}

    static String throughput(@Nullable Throughput throughput) {
        if (throughput == null) {
            return "-";
        }
        String rate = rate(throughput.samplesPerSecond()) + "/s";
        Double low = throughput.low();
        Double high = throughput.high();
        return low == null || high == null ? rate : rate + " [" + rate(low) + "–" + rate(high) + "]";
    }

    static String ratio(@Nullable Ratio ratio) {
        return ratio == null
                ? "-"
                : String.format(
                        Locale.ROOT,
                        "%.2f [%.2f–%.2f] in %d paired rounds",
                        ratio.ratio(),
                        ratio.low(),
                        ratio.high(),
                        ratio.rounds());
    }

    private static String rate(double samplesPerSecond) {
        return String.format(Locale.ROOT, samplesPerSecond < 10 ? "%.2f" : "%.0f", samplesPerSecond);
    }
}
