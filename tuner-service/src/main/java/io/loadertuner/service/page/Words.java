package io.loadertuner.service.page;

import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.measure.Throughput;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers as people read them: with units, and no more digits than they are good for. What is not known is a dash. */
public final class Words {
    static final String UNKNOWN = "–";

    private static final double KIBI = 1024;

    private Words() {}

    /** Three digits or all before the point: {@code 1,234}, {@code 12.3}, {@code 1.23}. */
    public static String number(double value) {
        double size = Math.abs(value);
        String format = size >= 100 || size == 0 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }

    /** {@code 1,234}. */
    public static String whole(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** A value of an axis, with no digit more than it has. */
    static String tick(double value) {
        return number(value).replaceFirst("(\\.\\d*?)0+$", "$1").replaceFirst("\\.$", "");
    }

    /** {@code 412/s}. */
    public static String rate(@Nullable Throughput throughput) {
        return throughput == null ? UNKNOWN : number(throughput.samplesPerSecond()) + "/s";
    }

    /** {@code 381–446}, or that there were too few rounds for it. */
    public static String interval(Throughput throughput) {
        Double low = throughput.low();
        Double high = throughput.high();
        if (low == null || high == null) {
            return throughput.rounds() == 1 ? "1 round, no interval" : throughput.rounds() + " rounds, no interval";
        }
        return number(low) + "–" + number(high);
    }

    /** {@code 2.31×}. */
    public static String times(double ratio) {
        return String.format(Locale.ROOT, "%.2f×", ratio);
    }

    /** {@code 2.31× (2.08–2.56)}. */
    public static String ratio(Ratio ratio) {
        return String.format(Locale.ROOT, "%.2f× (%.2f–%.2f)", ratio.ratio(), ratio.low(), ratio.high());
    }

    /** {@code +131 %}, {@code −3 %}. */
    public static String gain(double ratio) {
        long percent = Math.round((ratio - 1) * 100);
        return (percent < 0 ? "−" : "+") + Math.abs(percent) + " %";
    }

    public static String percent(double share) {
        return String.format(Locale.ROOT, share < 0.01 ? "%.1f %%" : "%.0f %%", share * 100);
    }

    /** {@code 0.41 s}, {@code 48 s}, {@code 2 min 28 s}, {@code 3 h 5 min}. */
    public static String seconds(@Nullable Double seconds) {
        if (seconds == null) {
            return UNKNOWN;
        }
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%.2f s", seconds);
        }
        long whole = Math.round(seconds);
        if (whole < 60) {
            return whole + " s";
        }
        return whole < 3600
                ? whole / 60 + " min " + whole % 60 + " s"
                : whole / 3600 + " h " + whole % 3600 / 60 + " min";
    }

    /** {@code 700 MiB}. */
    public static String bytes(@Nullable Long bytes) {
        if (bytes == null) {
            return UNKNOWN;
        }
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
        double value = bytes;
        int unit = 0;
        while (value >= KIBI && unit < units.length - 1) {
            value /= KIBI;
            unit++;
        }
        return (unit == 0 ? String.valueOf(bytes) : number(value)) + " " + units[unit];
    }

    /** {@code worker_crashed} as {@code worker crashed}. */
    public static String plain(Object code) {
        return code.toString().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** {@code 1 trial}, {@code 2 trials}. */
    public static String count(int count, String one) {
        return String.format(Locale.ROOT, "%,d %s%s", count, one, count == 1 ? "" : "s");
    }
}
