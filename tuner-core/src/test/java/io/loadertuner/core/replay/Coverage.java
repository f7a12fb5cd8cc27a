package io.loadertuner.core.replay;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.measure.TimedRate;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import io.loadertuner.core.study.Ask;
import io.loadertuner.core.study.Budget;
import io.loadertuner.core.study.CostOrder;
import io.loadertuner.core.study.GuardedSearch;
import io.loadertuner.core.study.Recommendation;
import io.loadertuner.core.study.SearchSettings;
import io.loadertuner.core.study.sampler.SamplerKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.NullUnmarked;

/**
 * How often 95 % intervals hold the truth, and how often the baseline is left where nothing differs: counted over many
 * simulated comparisons, studies and configs, with a machine's noise and drift. {@code main} prints what docs/measuring.md
 * has.
 *
 * @param noise of the machine
 * @param repeats how many are counted
 */
@NullUnmarked
record Coverage(NoiseProfile noise, int repeats) {
    private static final LoaderConfig ONE = config(1);
    private static final LoaderConfig TWO = config(2);
    private static final double RATIO = 1.08;

    /** A contender's rounds in a confirmation of three: as far apart as rounds of rebuilt loaders are. */
    private static final double SECONDS_A_ROUND = 7.5;

    private static final double SECONDS_A_STEP = 0.5;

    /**
     * Studies whose answer leaves the baseline.
     *
     * @param left share of all studies
     * @param held share of those whose interval holds the true speedup; 1 of none
     */
    record Answers(double left, double held) {}

    /** Of a fixed pair whose rates differ by 8 %, the share of comparisons whose interval holds the truth. */
    double ofAPair(int rounds) {
        Surface surface = surface(config -> config.equals(TWO) ? 1_000 * RATIO : 1_000);
        return share(seed -> {
            Ratio ratio = compare(new ReplayedMachine(surface, noise, seed), rounds, seed);
            return ratio.low() <= RATIO && RATIO <= ratio.high();
        });
    }

    /** Of studies in which all configs are equally fast. */
    Answers whereNothingDiffers() {
        return answers(surface(config -> 1_000));
    }

    /** Of studies in which the best of eight workers is 2.3 times as fast as the baseline. */
    Answers whereWorkersGain() {
        return answers(surface(config -> 1_000 * Math.pow(Math.max(1, config.numWorkers()), 0.4)));
    }

    /**
     * Of a single config with a first look and so many rounds of a confirmation, which ends the study, the share whose
     * interval holds the mean rate over the study's time.
     *
     * @param secondsBefore what the search takes before it confirms
     */
    double ofOneConfig(int rounds, double secondsBefore) {
        double end = secondsBefore + rounds * SECONDS_A_ROUND;
        return share(seed -> {
            RandomGenerator random = new SplittableRandom(seed);
            double[] moods = moods(end, random);
            double truth = 0;
            for (double mood : moods) {
                truth += Math.exp(mood) / moods.length;
            }
            List<TimedRate> rates = new ArrayList<>();
            rates.add(measured(random.nextDouble() * secondsBefore, moods, random));
            for (int round = 1; round <= rounds; round++) {
                rates.add(measured(secondsBefore + round * SECONDS_A_ROUND, moods, random));
            }
            Throughput found = Throughput.of(rates);
            return found.low() <= truth && truth <= found.high();
        });
    }

    /** The machine's mood at every step of the time until {@code end}. */
    private double[] moods(double end, RandomGenerator random) {
        double kept = Math.exp(-SECONDS_A_STEP / noise.driftMemorySeconds());
        double[] moods = new double[(int) Math.round(end / SECONDS_A_STEP)];
        moods[0] = random.nextGaussian() * noise.drift();
        for (int step = 1; step < moods.length; step++) {
            moods[step] = moods[step - 1] * kept + random.nextGaussian() * noise.drift() * Math.sqrt(1 - kept * kept);
        }
        return moods;
    }

    private TimedRate measured(double seconds, double[] moods, RandomGenerator random) {
        int step = Math.min(moods.length - 1, (int) (seconds / SECONDS_A_STEP));
        return new TimedRate(Math.exp(moods[step] + random.nextGaussian() * noise.perRound()), seconds);
    }

    private interface Trial {
        boolean holds(long seed);
    }

    private double share(Trial trial) {
        return (double) LongStream.range(0, repeats).filter(trial::holds).count() / repeats;
    }

    private static Ratio compare(ReplayedMachine machine, int count, long seed) {
        PairedRounds<LoaderConfig> rounds = new PairedRounds<>();
        Random random = new Random(seed);
        for (int round = 1; round <= count; round++) {
            List<LoaderConfig> order = new ArrayList<>(List.of(ONE, TWO));
            Collections.shuffle(order, random);
            for (LoaderConfig config : order) {
                rounds.add(
                        "round-" + round,
                        config,
                        machine.measure(Ask.repeat(config, round)).samplesPerSecond());
            }
        }
        return rounds.ratio(TWO, ONE).orElseThrow();
    }

    private Answers answers(Surface surface) {
        List<Recommendation> left = LongStream.range(0, repeats)
                .parallel()
                .mapToObj(seed -> ReplayedStudy.run(
                                new GuardedSearch(settings(seed), SamplerKind.ONE_AT_A_TIME.create()),
                                new ReplayedMachine(surface, noise, seed))
                        .conclusion()
                        .recommendation())
                .filter(answer -> !answer.config().equals(ONE))
                .toList();
        long held = left.stream()
                .filter(answer -> {
                    double truth = surface.samplesPerSecond(answer.config()) / surface.samplesPerSecond(ONE);
                    return answer.speedup().low() <= truth
                            && truth <= answer.speedup().high();
                })
                .count();
        return new Answers((double) left.size() / repeats, left.isEmpty() ? 1 : (double) held / left.size());
    }

    private static SearchSettings settings(long seed) {
        return new SearchSettings(
                new SearchSpace(
                        List.of(0, 1, 2, 3, 4, 6, 8), List.of(1, 2, 4, 8), List.of(false), List.of(64), true, null),
                ONE,
                4,
                OptionalDouble.empty(),
                0,
                config -> Optional.empty(),
                Budget.DEFAULT,
                seed,
                List.of(),
                CostOrder.USUAL);
    }

    private static LoaderConfig config(int workers) {
        return LoaderConfig.of(workers, 2, false, 64, true, null);
    }

    private static Surface surface(ToDoubleFunction<LoaderConfig> samplesPerSecond) {
        return new Surface() {
            @Override
            public double samplesPerSecond(LoaderConfig config) {
                return samplesPerSecond.applyAsDouble(config);
            }

            @Override
            public double overheadSeconds(LoaderConfig config) {
                return 0.4;
            }
        };
    }

    /** Prints all figures for a shared and a quiet machine, counted over 2,000 each or as many as the argument says. */
    public static void main(String[] arguments) {
        int repeats = arguments.length == 0 ? 2_000 : Integer.parseInt(arguments[0]);
        Coverage shared = new Coverage(NoiseProfile.SHARED, repeats);
        Coverage quiet = new Coverage(NoiseProfile.QUIET, repeats);
        System.out.println("| of " + repeats + " each | shared | quiet |\n|---|---|---|");
        for (int rounds : new int[] {3, 5, 10, 40}) {
            row(
                    "a fixed pair, " + rounds + " rounds: the truth is held",
                    shared.ofAPair(rounds),
                    quiet.ofAPair(rounds));
        }
        for (int seconds : new int[] {60, 200}) {
            for (int rounds : new int[] {3, 5, 10, 40}) {
                row(
                        "one config, " + rounds + " rounds after " + seconds + " s: the mean rate is held",
                        shared.ofOneConfig(rounds, seconds),
                        quiet.ofOneConfig(rounds, seconds));
            }
        }
        row(
                "nothing differs: the baseline is left",
                shared.whereNothingDiffers().left(),
                quiet.whereNothingDiffers().left());
        Answers onShared = shared.whereWorkersGain();
        Answers onQuiet = quiet.whereWorkersGain();
        row("workers gain: the baseline is left", onShared.left(), onQuiet.left());
        row("the chosen config's speedup is held", onShared.held(), onQuiet.held());
    }

    private static void row(String what, double shared, double quiet) {
        System.out.printf(Locale.ROOT, "| %s | %.1f %% | %.1f %% |%n", what, 100 * shared, 100 * quiet);
    }
}
