package io.loadertuner.core.measure;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How the rates of a visit compare with those of earlier ones. Between visits a machine's mood changes by more than the rounds
 * of one visit tell, so the noise is that of earlier visits among each other, held by a prior. The intervals are those that the next
 * visit falls into while nothing has changed; so wide that all three hold at once with 95 % confidence (Bonferroni).
 *
 * @param incumbent rate of the config in use over the middle of the earlier visits
 * @param baseline the same of the baseline; null where it was not measured now and before
 * @param speedup the same of how many times the baseline's rate the other is, which a mood that both share does not move
 */
public record Movement(
        Ratio incumbent, @Nullable Ratio baseline, @Nullable Ratio speedup) {
    /** Rates of one config over half an hour deviate by 13 to 15 % on shared cores, the rounds' own noise included. */
    private static final double PRIOR_DEVIATION_OF_RATES = 0.13;

    /** Of the medians of four interleaved rounds of each. */
    private static final double PRIOR_DEVIATION_OF_SPEEDUPS = 0.07;

    private static final int LOOKS = 3;

    /** @param earlier not empty */
    public static Movement of(List<Visit> earlier, Visit now) {
        Function<Visit, OptionalDouble> incumbent = visit -> OptionalDouble.of(visit.incumbent());
        Function<Visit, OptionalDouble> baseline =
                visit -> visit.baseline() == null ? OptionalDouble.empty() : OptionalDouble.of(visit.baseline());
        return new Movement(
                ratio(earlier, now, incumbent, PRIOR_DEVIATION_OF_RATES).orElseThrow(),
                ratio(earlier, now, baseline, PRIOR_DEVIATION_OF_RATES).orElse(null),
                ratio(earlier, now, Visit::speedup, PRIOR_DEVIATION_OF_SPEEDUPS).orElse(null));
    }

    private static Optional<Ratio> ratio(
            List<Visit> earlier, Visit now, Function<Visit, OptionalDouble> quantity, double priorDeviation) {
        List<Double> logs = earlier.stream()
                .map(quantity)
                .flatMap(value -> value.stream().boxed())
                .map(Math::log)
                .toList();
        OptionalDouble today = quantity.apply(now);
        if (logs.isEmpty() || today.isEmpty()) {
            return Optional.empty();
        }
        double moved = Math.log(today.getAsDouble()) - Location.MEDIAN.of(logs);
        double half =
                LogNoise.pooled(List.of(logs), priorDeviation).halfWidthOfNext(Location.MEDIAN, logs.size(), LOOKS);
        return Optional.of(new Ratio(Math.exp(moved), Math.exp(moved - half), Math.exp(moved + half), logs.size()));
    }

    /** Whether any of them has moved beyond noise. */
    public boolean goesBeyondNoise() {
        return Stream.of(incumbent, baseline, speedup)
                .filter(Objects::nonNull)
                .anyMatch(ratio -> ratio.verdict() != Verdict.CANNOT_TELL);
    }
}
