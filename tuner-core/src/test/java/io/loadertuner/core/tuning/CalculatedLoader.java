package io.loadertuner.core.tuning;

import io.loadertuner.core.dataset.DatasetDescriptor;
import io.loadertuner.core.loader.Examination;
import io.loadertuner.core.loader.Loader;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.LoaderSession;
import io.loadertuner.core.loader.MeasuredRound;
import io.loadertuner.core.loader.ProcessLog;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.Symptoms;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.machine.Gpu;
import io.loadertuner.core.measure.MeasuredWindow;
import io.loadertuner.core.measure.RoundPlan;
import io.loadertuner.core.space.LoaderConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** A loader that measures nothing: its rates are a formula, its time is a clock that each call moves on. */
final class CalculatedLoader implements Loader, InstantSource {
    static final Duration ROUND = Duration.ofSeconds(2);

    private final ToDoubleFunction<LoaderConfig> samplesPerSecond;
    final Map<LoaderConfig, TrialFailure> failures = new HashMap<>();
    final List<LoaderConfig> measured = new ArrayList<>();
    final Map<Integer, Double> foreignCores = new HashMap<>();
    final Map<LoaderConfig, Double> windowSeconds = new HashMap<>();

    /** Whether each session prints that it was built, and each round its config. */
    boolean prints;

    private final StringBuilder printed = new StringBuilder();
    final Map<LoaderConfig, TrialFailure> wrongData = new HashMap<>();
    final List<LoaderConfig> verified = new ArrayList<>();

    @Nullable
    String whyNotVerified;

    @Nullable
    String batchSizeFrozenBy;

    @Nullable
    TrialFailure failureOfCheck;

    String device = "cpu";

    @Nullable
    Gpu gpu;

    String kind = "map";
    boolean samplesOnGpu;
    boolean datasetInitialisedCuda;

    final List<LoaderConfig> examined = new ArrayList<>();
    final List<LoaderConfig> passed = new ArrayList<>();

    @Nullable
    Examination examination;

    @Nullable
    TrialFailure failureOfExamination;

    OptionalDouble epochGapSeconds = OptionalDouble.empty();
    int openSessions;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    CalculatedLoader(ToDoubleFunction<LoaderConfig> samplesPerSecond) {
        this.samplesPerSecond = samplesPerSecond;
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public LoaderSession open(DatasetDescriptor descriptor, long seed) {
        openSessions++;
        now = now.plusSeconds(3);
        print("built");
        return new Session();
    }

    private void print(String line) {
        if (prints) {
            printed.append(line).append("; ");
        }
    }

    private final class Session implements LoaderSession {
        @Override
        public LoaderFacts check(int batchSize) throws TrialFailedException {
            if (failureOfCheck != null) {
                throw new TrialFailedException(failureOfCheck);
            }
            return new LoaderFacts(
                    device,
                    gpu,
                    "3.11",
                    "2.13",
                    "fork",
                    kind,
                    1000L,
                    List.of(),
                    100L,
                    100L * batchSize,
                    batchSize,
                    0.001,
                    0.1,
                    datasetInitialisedCuda,
                    50_000_000L,
                    samplesOnGpu,
                    null,
                    batchSizeFrozenBy,
                    new LoaderFacts.ProcessFacts(2, 2, 2, null, true));
        }

        @Override
        public double stepAlone(LoaderConfig config) {
            return 500;
        }

        @Override
        public MeasuredRound measure(LoaderConfig config, RoundPlan plan, boolean withStep)
                throws TrialFailedException {
            measured.add(config);
            print(config.describe());
            now = now.plus(ROUND);
            TrialFailure failure = failures.get(config);
            if (failure != null) {
                throw new TrialFailedException(failure);
            }
            long samples = Math.round(samplesPerSecond.applyAsDouble(config));
            RoundMeasurement measurement = new RoundMeasurement(
                    0.1,
                    0.1,
                    0.1,
                    0.5,
                    1000L,
                    10L,
                    null,
                    null,
                    null,
                    1.0,
                    foreignCores.getOrDefault(measured.size(), 0.0),
                    "fork",
                    null,
                    new MeasuredWindow(0, 1, samples, windowSeconds.getOrDefault(config, 1.0)),
                    List.of(),
                    Symptoms.NONE);
            return new MeasuredRound(measurement, List.of(0L, 1_000_000L));
        }

        @Override
        public ProcessLog takeLog() {
            ProcessLog taken = ProcessLog.of(printed.toString());
            printed.setLength(0);
            return taken;
        }

        @Override
        public Optional<String> verify(LoaderConfig config, Duration atMost) throws TrialFailedException {
            verified.add(config);
            now = now.plus(atMost);
            TrialFailure failure = wrongData.get(config);
            if (failure != null) {
                throw new TrialFailedException(failure);
            }
            return Optional.ofNullable(whyNotVerified);
        }

        @Override
        public Optional<Examination> examine(LoaderConfig config) throws TrialFailedException {
            examined.add(config);
            if (failureOfExamination != null) {
                throw new TrialFailedException(failureOfExamination);
            }
            return Optional.ofNullable(examination);
        }

        @Override
        public OptionalDouble epochGapSeconds(LoaderConfig config) {
            passed.add(config);
            return epochGapSeconds;
        }

        @Override
        public void close() {
            openSessions--;
        }
    }
}
