package io.loadertuner.core.tuning;

import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.Symptoms.Waits;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.TrialState;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A trial as it is answered: the same fields over REST and on the command line.
 *
 * @param device where batches were delivered: {@code cpu}, {@code cuda:0}; null where that is not known
 * @param unstable whether its rounds differ more than twofold
 * @param startupSeconds of its last round
 * @param firstBatchSeconds of its last round
 * @param predictedMemoryBytes what the loading processes take, told before the trial from one batch and
 *     the process that read it; null if unknown
 * @param predictedSharedMemoryBytes what a full queue takes, told from one batch; null if unknown
 * @param peakMemoryBytes the most that the loading processes took in any round
 * @param sharedMemoryBytes the most that they held in shared memory in any round
 * @param pinnedMemoryBytes the most page-locked host memory that was taken at once in any round
 * @param pickledBytes the most that was pickled to a worker in any round; null where workers are forked
 * @param waits for a batch, of the round with the longest one
 * @param epochGapSeconds from the last batch of one pass over the data to the first of the next; null where it was not
 *     measured
 * @param warnings what went wrong without spoiling the numbers
 * @param ranks what each of several ranks delivers; empty where there is one
 */
public record TrialReport(
        int number,
        TrialState state,
        LoaderConfig config,
        @Nullable String device,
        @Nullable Throughput throughput,
        boolean unstable,
        @Nullable Double startupSeconds,
        @Nullable Double firstBatchSeconds,
        @Nullable Long predictedMemoryBytes,
        @Nullable Long predictedSharedMemoryBytes,
        @Nullable Long peakMemoryBytes,
        @Nullable Long sharedMemoryBytes,
        @Nullable Long gpuMemoryBytes,
        @Nullable Long pinnedMemoryBytes,
        @Nullable Double gpuUtilization,
        @Nullable Long pickledBytes,
        @Nullable Waits waits,
        @Nullable Double epochGapSeconds,
        List<String> warnings,
        List<RankThroughput> ranks,
        @Nullable TrialFailure failure) {
    private static final double UNSTABLE_SPREAD = 2.0;

    /**
     * @param preparation what was found before the study's first trial; empty for none
     */
    public static TrialReport of(TrialRecord trial, Optional<Preparation> preparation) {
        List<RoundRecord> rounds = trial.rounds();
        RoundMeasurement last =
                rounds.isEmpty() ? null : rounds.get(rounds.size() - 1).measurement();
        Optional<MemoryForecast> forecast = preparation.map(Preparation::memoryForecast);
        return new TrialReport(
                trial.number(),
                trial.state(),
                trial.config(),
                preparation.map(found -> found.facts().device()).orElse(null),
                trial.throughput().orElse(null),
                isUnstable(trial),
                last == null ? null : last.startupSeconds(),
                last == null ? null : last.firstBatchSeconds(),
                forecast.map(known -> known.memoryBytes(trial.config())).orElse(null),
                forecast.map(known -> known.sharedMemoryBytes(trial.config())).orElse(null),
                most(rounds, RoundMeasurement::memoryBytes),
                most(rounds, RoundMeasurement::sharedMemoryBytes),
                most(rounds, RoundMeasurement::gpuMemoryBytes),
                most(rounds, RoundMeasurement::pinnedMemoryBytes),
                last == null ? null : last.gpuUtilization(),
                most(rounds, round -> round.symptoms().pickledBytes()),
                longest(rounds),
                trial.epochGapSeconds(),
                rounds.stream()
                        .map(round -> round.measurement().warning())
                        .filter(Objects::nonNull)
                        .map(Objects::requireNonNull)
                        .distinct()
                        .toList(),
                RankThroughput.of(rounds),
                trial.failure() == null ? null : trial.failure().failure());
    }

    private static boolean isUnstable(TrialRecord trial) {
        double[] rates = trial.rounds().stream()
                .filter(RoundRecord::withStep)
                .mapToDouble(RoundRecord::samplesPerSecond)
                .sorted()
                .toArray();
        return rates.length > 1 && rates[rates.length - 1] > UNSTABLE_SPREAD * rates[0];
    }

    private static @Nullable Waits longest(List<RoundRecord> rounds) {
        return rounds.stream()
                .map(round -> round.measurement().symptoms().waits())
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .max(Comparator.comparingDouble(Waits::maxSeconds))
                .orElse(null);
    }

    private static @Nullable Long most(List<RoundRecord> rounds, Function<RoundMeasurement, @Nullable Long> value) {
        Long most = null;
        for (RoundRecord round : rounds) {
            Long own = value.apply(round.measurement());
            if (own != null && (most == null || own > most)) {
                most = own;
            }
        }
        return most;
    }
}
