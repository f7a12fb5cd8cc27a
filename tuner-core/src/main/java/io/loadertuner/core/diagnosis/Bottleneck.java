package io.loadertuner.core.diagnosis;

import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What limits the throughput of a config.
 *
 * @param text the verdict with its numbers
 */
public record Bottleneck(Verdict verdict, String text) {
    /** Above this share of the usable cores they count as busy. */
    private static final double BUSY = 0.9;

    private static final double FEEDS_THE_STEP = 0.97;

    /** Names of the verdicts. */
    public enum Verdict {
        /** The training step takes all the time; the loader keeps up. */
        STEP_BOUND,
        /** The usable cores are busy with loading. */
        CPU_BOUND,
        /** Moving samples between processes costs more than making them. */
        TRANSFER_BOUND,
        /** Loading waits: for storage, a lock, a sleep. */
        WAIT_BOUND,
        UNKNOWN
    }

    /**
     * Judges one config by what was measured of it.
     *
     * @param samplesPerSecond with the step where there is one
     * @param stepSamplesPerSecond the step alone; empty without a step
     * @param numWorkers of the config
     * @param fasterThanWorkers how many times faster this config without workers is than the best with workers; empty
     *     where it has workers or none with workers was measured
     * @param ownCores processor time of the loader in cores; null if unknown
     */
    public static Bottleneck of(
            double samplesPerSecond,
            OptionalDouble stepSamplesPerSecond,
            int numWorkers,
            OptionalDouble fasterThanWorkers,
            @Nullable Double ownCores,
            double usableCores) {
        if (stepSamplesPerSecond.isPresent()
                && samplesPerSecond >= FEEDS_THE_STEP * stepSamplesPerSecond.getAsDouble()) {
            return new Bottleneck(
                    Verdict.STEP_BOUND,
                    text(
                            "the step takes in %.0f samples/s alone and gets %.0f: the loader keeps up",
                            stepSamplesPerSecond.getAsDouble(), samplesPerSecond));
        }
        if (fasterThanWorkers.isPresent() && fasterThanWorkers.getAsDouble() > 1.5) {
            return new Bottleneck(
                    Verdict.TRANSFER_BOUND,
                    text(
                            "without workers it is %.1f times as fast as with the best number of them: per-sample work is below the cost of moving it between processes",
                            fasterThanWorkers.getAsDouble()));
        }
        if (ownCores == null) {
            return new Bottleneck(Verdict.UNKNOWN, "the processor time of the loader could not be read");
        }
        double reachable = numWorkers == 0 ? Math.min(1, usableCores) : Math.min(numWorkers + 1.0, usableCores);
        if (ownCores >= BUSY * reachable) {
            return new Bottleneck(
                    Verdict.CPU_BOUND,
                    text(
                            "loading keeps %.1f of %.1f usable cores busy: less work per sample, or more cores, would help",
                            ownCores, usableCores));
        }
        return new Bottleneck(
                Verdict.WAIT_BOUND,
                text(
                        "loading uses %.1f of %.1f usable cores and waits the rest of the time: for storage, a lock or a sleep",
                        ownCores, usableCores));
    }

    private static String text(String format, Object... numbers) {
        return String.format(Locale.ROOT, format, numbers);
    }
}
