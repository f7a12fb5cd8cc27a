package io.loadertuner.core.replay;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Ask;
import io.loadertuner.core.study.Observation;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Measures a surface as a real machine would: every round takes its time, meets the machine's mood of the moment, and has
 * an error of its own. Nothing is loaded and no time passes; everything follows from the seed.
 */
public final class ReplayedMachine {
    private static final double SECONDS_TO_FAIL = 3;

    /** What the step does to a batch that has arrived hardly varies: it is not the loader. */
    private static final double STEP_NOISE = 0.005;

    private final Surface surface;
    private final NoiseProfile noise;
    private final boolean asRecorded;
    private final RandomGenerator random;
    private double mood;
    private double elapsedSeconds;

    /** @param noise that all configs have alike */
    public ReplayedMachine(Surface surface, NoiseProfile noise, long seed) {
        this(surface, noise, false, seed);
    }

    private ReplayedMachine(Surface surface, NoiseProfile noise, boolean asRecorded, long seed) {
        this.surface = surface;
        this.noise = noise;
        this.asRecorded = asRecorded;
        this.random = new SplittableRandom(seed);
        this.mood = random.nextGaussian() * noise.drift();
    }

    /**
     * One where the rounds of each config have the error that they were recorded with; where none is recorded, it is that of
     * {@link NoiseProfile#SHARED shared cores}. The machine's mood is as there and meets all configs alike.
     */
    public static ReplayedMachine asRecorded(Surface surface, long seed) {
        return new ReplayedMachine(surface, NoiseProfile.SHARED, true, seed);
    }

    /** One round, as the tuner would tell the search of it. */
    public Observation measure(Ask ask) {
        LoaderConfig config = ask.config();
        String failure = surface.failure(config).orElse(null);
        Optional<RecordedNoise> recorded = asRecorded ? surface.recordedNoise(config) : Optional.empty();
        double perRound = recorded.map(own -> own.perRound(noise.perRound())).orElse(noise.perRound());
        double luck = Math.exp(random.nextGaussian() * perRound + mood);
        double stepLuck = Math.exp(random.nextGaussian() * STEP_NOISE * Math.signum(noise.perRound()));
        double rate = 0;
        if (failure == null) {
            rate = ask.withStep() ? withStep(config, luck, stepLuck, recorded.isPresent()) : alone(config) * luck;
        }
        double seconds = surface.overheadSeconds(config)
                + (failure == null ? ask.plan().predictedSeconds(config.batchSize(), rate) : SECONDS_TO_FAIL);
        pass(seconds);
        return failure == null
                ? new Observation(ask, rate, null, seconds, elapsedSeconds)
                : new Observation(ask, null, failure, seconds, elapsedSeconds);
    }

    /** Simulated time since the first round. */
    public double elapsedSeconds() {
        return elapsedSeconds;
    }

    private double alone(LoaderConfig config) {
        return surface.loaderAloneSamplesPerSecond(config);
    }

    /**
     * The machine's mood meets the loader; a step that waits for nothing keeps its pace.
     *
     * @param ofBoth whether the luck is that of loader and step together
     */
    private double withStep(LoaderConfig config, double luck, double stepLuck, boolean ofBoth) {
        double together = surface.samplesPerSecond(config);
        OptionalDouble stepAlone = surface.stepSamplesPerSecond(config);
        if (stepAlone.isEmpty()) {
            return together * luck;
        }
        double step = stepAlone.getAsDouble() * stepLuck;
        boolean takeTurns = config.numWorkers() == 0 && !ofBoth;
        return Math.min(takeTurns ? inTurns(config, luck, stepLuck) : together * luck, step);
    }

    /** Without workers the loader waits for as much of the step as does not run beside it. */
    private double inTurns(LoaderConfig config, double luck, double stepLuck) {
        double loaderSeconds = 1 / alone(config);
        double stepSeconds = Math.max(0, 1 / surface.samplesPerSecond(config) - loaderSeconds);
        return 1 / (loaderSeconds / luck + stepSeconds / stepLuck);
    }

    private void pass(double seconds) {
        elapsedSeconds += seconds;
        double kept = Math.exp(-seconds / noise.driftMemorySeconds());
        mood = mood * kept + random.nextGaussian() * noise.drift() * Math.sqrt(1 - kept * kept);
    }
}
