package io.loadertuner.service.schedule;

import io.loadertuner.core.measure.Movement;
import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.measure.Verdict;
import io.loadertuner.core.space.LoaderConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a canary found, in words. */
final class CanaryWords {
    private CanaryWords() {}

    static String moved(LoaderConfig incumbent, Movement movement) {
        List<String> moved = new ArrayList<>();
        add(moved, "what is recommended (%s) loads".formatted(incumbent.describe()), movement.incumbent());
        add(moved, "the baseline loads", movement.baseline());
        if (movement.speedup() != null && movement.speedup().verdict() != Verdict.CANNOT_TELL) {
            moved.add("the gain over the baseline is " + times(movement.speedup()) + " what it was");
        }
        return sentence(String.join(", ", moved) + ", beyond noise");
    }

    static String still(Movement movement) {
        Ratio rate = movement.incumbent();
        return String.format(
                Locale.ROOT,
                "The rates are as they were: %s of %s. With so few looks, a change to less than %.2f or more than %.2f times"
                        + " would have been told from noise.",
                times(rate),
                rate.rounds() == 1 ? "the one before" : "the middle of " + rate.rounds() + " before",
                rate.ratio() / rate.high(),
                rate.ratio() / rate.low());
    }

    private static void add(List<String> moved, String what, @Nullable Ratio ratio) {
        if (ratio != null && ratio.verdict() != Verdict.CANNOT_TELL) {
            moved.add(what + " at " + times(ratio) + " its rate");
        }
    }

    private static String times(Ratio ratio) {
        return String.format(Locale.ROOT, "%.2f times [%.2f–%.2f]", ratio.ratio(), ratio.low(), ratio.high());
    }

    private static String sentence(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
    }
}
