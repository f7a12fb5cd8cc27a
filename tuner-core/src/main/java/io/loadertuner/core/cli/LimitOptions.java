package io.loadertuner.core.cli;

import io.loadertuner.core.loader.pytorch.TimeLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How long loading may stay silent, as options: {@link TimeLimits} in seconds. */
final class LimitOptions {
    private static final double LEAST = 1;
    private static final double MOST = 3600;

    @Option(
            names = "--open-limit",
            paramLabel = "SECONDS",
            description = "Seconds for importing PyTorch and building the dataset (default: ${DEFAULT-VALUE}).")
    private double open = seconds(TimeLimits.DEFAULT.open());

    @Option(
            names = "--startup-limit",
            paramLabel = "SECONDS",
            description = "Seconds for starting workers, until the first batch (default: ${DEFAULT-VALUE}).")
    private double startup = seconds(TimeLimits.DEFAULT.startup());

    @Option(
            names = "--batch-limit",
            paramLabel = "SECONDS",
            description = "Seconds without a batch after which a trial counts as hung (default: ${DEFAULT-VALUE}).")
    private double batch = seconds(TimeLimits.DEFAULT.batch());

    @Option(
            names = "--round-limit",
            paramLabel = "SECONDS",
            description = "Seconds for a whole round (default: 180 and the batch limit).")
    private @Nullable Double round;

    @Option(
            names = "--teardown-limit",
            paramLabel = "SECONDS",
            description = "Seconds for ending the workers after a round (default: ${DEFAULT-VALUE}).")
    private double teardown = seconds(TimeLimits.DEFAULT.teardown());

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    /**
     * @throws ParameterException for a limit that cannot be accepted
     */
    TimeLimits timeLimits() {
        Double given = round;
        return new TimeLimits(
                limit("--open-limit", open),
                limit("--startup-limit", startup),
                limit("--batch-limit", batch),
                given == null
                        ? TimeLimits.DEFAULT.round().plus(limit("--batch-limit", batch))
                        : limit("--round-limit", given),
                limit("--teardown-limit", teardown));
    }

    private Duration limit(String name, double seconds) {
        if (!(seconds >= LEAST && seconds <= MOST)) {
            CommandSpec mixee = spec;
            if (mixee == null) {
                throw new IllegalStateException("picocli has not filled in the options");
            }
            throw new ParameterException(
                    mixee.commandLine(), name + " must be from %.0f to %.0f seconds".formatted(LEAST, MOST));
        }
        return Duration.ofMillis(Math.round(seconds * 1000));
    }

    private static double seconds(Duration limit) {
        return limit.toMillis() / 1000.0;
    }
}
