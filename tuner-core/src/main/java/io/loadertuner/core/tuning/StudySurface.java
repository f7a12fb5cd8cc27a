package io.loadertuner.core.tuning;

import io.loadertuner.core.measure.Location;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a study measured, as a surface for replay: one line of CSV for each config, in the columns that {@code loader-tuner
 * replay} reads. Times are in seconds, rates in samples per second; what is not known is empty. A config that failed has its
 * failure; what was measured of it before stays. A study that was cancelled has what it measured until then.
 */
public final class StudySurface {
    private static final String HEADER = "dataset,num_workers,prefetch_factor,batch_size,pin_memory,samples_per_second,"
            + "loader_alone_samples_per_second,step_samples_per_second,trial_overhead_seconds,rounds,"
            + "log_rate_deviation,failure";

    private StudySurface() {}

    /**
     * @param dataset commas and quotes in it become underscores
     * @param preparation what was found before the first trial; empty for a study that has not come so far
     */
    public static String csv(String dataset, Optional<Preparation> preparation, List<TrialRecord> trials) {
        String name = dataset.replaceAll("[,\"\\s]", "_");
        String step = preparation
                .map(Preparation::stepSamplesPerSecond)
                .map(String::valueOf)
                .orElse("");
        return Stream.concat(
                        Stream.of(HEADER),
                        trials.stream()
                                .filter(trial ->
                                        trial.failure() != null || !rates(trial).isEmpty())
                                .map(trial -> line(name, step, trial)))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String line(String dataset, String step, TrialRecord trial) {
        LoaderConfig config = trial.config();
        Integer prefetch = config.prefetchFactor();
        List<Double> rates = rates(trial);
        FailureRecord failure = trial.failure();
        return Stream.of(
                        dataset,
                        config.numWorkers(),
                        prefetch == null ? 0 : prefetch,
                        config.batchSize(),
                        config.pinMemory(),
                        trial.throughput()
                                .map(Throughput::samplesPerSecond)
                                .map(String::valueOf)
                                .orElse(""),
                        median(trial.rounds().stream()
                                .filter(round -> !round.withStep())
                                .map(RoundRecord::samplesPerSecond)),
                        step,
                        median(trial.rounds().stream().map(StudySurface::overheadSeconds)),
                        rates.size(),
                        logDeviation(rates),
                        failure == null ? "" : failure.failure().reason().code())
                .map(String::valueOf)
                .collect(Collectors.joining(","));
    }

    /** Of the rounds that measured the objective. */
    private static List<Double> rates(TrialRecord trial) {
        return trial.rounds().stream()
                .filter(RoundRecord::withStep)
                .map(RoundRecord::samplesPerSecond)
                .toList();
    }

    /** Standard deviation of the rates' natural logarithms; empty below two rounds. */
    private static String logDeviation(List<Double> rates) {
        double[] logs = rates.stream().mapToDouble(Math::log).toArray();
        double mean = Arrays.stream(logs).average().orElse(0);
        double squares =
                Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
        double deviation = Math.sqrt(squares / (logs.length - 1));
        return logs.length > 1 && Double.isFinite(deviation) ? String.valueOf(deviation) : "";
    }

    private static double overheadSeconds(RoundRecord round) {
        return round.measurement().startupSeconds()
                + round.measurement().firstBatchSeconds()
                + Objects.requireNonNullElse(round.measurement().shutdownSeconds(), 0.0);
    }

    private static String median(Stream<Double> values) {
        List<Double> known = values.toList();
        return known.isEmpty() ? "" : String.valueOf(Location.MEDIAN.of(known));
    }
}
