package io.loadertuner.core.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Ask;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@NullUnmarked
class ReplayedMachineTest {
    /** The loader alone gives 500/s and the step takes in 1,000/s: in turns that is 333/s, side by side up to 500/s. */
    @ParameterizedTest
    @CsvSource({"0, 333.3", "0, 450", "0, 500", "2, 480"})
    void withoutNoiseItMeasuresTheTruthHoweverMuchOfTheStepRunsBesideTheLoader(int workers, double truth) {
        Surface surface = new HandMadeSurface(config -> truth, config -> 500, OptionalDouble.of(1_000));

        assertThat(rate(surface, NoiseProfile.NONE, workers)).isCloseTo(truth, within(1e-6));
    }

    @Test
    void whatTheStepHoldsUpHasNoNoiseOfTheLoader() {
        Surface surface = new HandMadeSurface(config -> 500, config -> 5_000, OptionalDouble.of(500));

        double slowest = Double.MAX_VALUE;
        for (int seed = 0; seed < 50; seed++) {
            ReplayedMachine machine = new ReplayedMachine(surface, new NoiseProfile(1e-9, 0.5, 94), seed);
            double rate = machine.measure(Ask.first(config(0))).samplesPerSecond();
            assertThat(rate).isLessThan(520);
            slowest = Math.min(slowest, rate);
        }
        // 2 ms a sample, of which the loader's 0.2 ms triple at worst.
        assertThat(slowest).isBetween(350.0, 500.0);
    }

    /** What is usual, 7.5 %, counts as four more rounds; rounds of machines apart differ by the drift of 10 % besides. */
    @ParameterizedTest
    @CsvSource({"0.05, 5, 0.1186", "0.3, 5, 0.2404", "0, 2, 0.1204", "0.04, 1000001, 0.1077"})
    void aConfigVariesAsMuchAsItWasRecordedToDo(double recorded, int rounds, double expected) {
        Surface surface = recorded(new RecordedNoise(recorded, rounds), OptionalDouble.empty());

        assertThat(deviation(seed -> ReplayedMachine.asRecorded(surface, seed)))
                .isCloseTo(expected, withinPercentage(5));
    }

    @Test
    void whereNoNoiseIsRecordedItIsThatOfSharedCores() {
        Surface surface = HandMadeSurface.loaderAlone(config -> 500);

        assertThat(deviation(seed -> ReplayedMachine.asRecorded(surface, seed))).isCloseTo(0.125, withinPercentage(5));
    }

    @Test
    void noiseThatIsGivenHoldsForAllConfigsWhateverWasRecorded() {
        Surface surface = recorded(new RecordedNoise(0.3, 1_000_000), OptionalDouble.empty());

        assertThat(deviation(seed -> new ReplayedMachine(surface, new NoiseProfile(0.03, 0.04, 94), seed)))
                .isCloseTo(0.05, withinPercentage(5));
    }

    /** The rate of 333 a second is that of loader and step in turns, and so is its noise. */
    @Test
    void recordedNoiseIsOfLoaderAndStepTogether() {
        Surface surface = recorded(new RecordedNoise(0.04, 1_000_000), OptionalDouble.of(1_000));

        // √(0.04² + 0.10²)
        assertThat(deviation(seed -> ReplayedMachine.asRecorded(surface, seed))).isCloseTo(0.1077, withinPercentage(5));
    }

    @Test
    void aConfigWhoseRoundsAreAllAlikeHasTheDriftThatAnyOtherHas() {
        Surface slow = recorded(new RecordedNoise(0, 1_000_000_000), OptionalDouble.empty());
        Surface fast = recorded(new RecordedNoise(0, 1_000_000_000), OptionalDouble.of(2_000));

        // In the same mood nothing is left between them: 333.3 to 500.
        for (int seed = 0; seed < 100; seed++) {
            double ratio = firstRate(ReplayedMachine.asRecorded(fast, seed), 2)
                    / firstRate(ReplayedMachine.asRecorded(slow, seed), 2);
            assertThat(ratio).isCloseTo(333.3 / 500, withinPercentage(0.01));
        }
        assertThat(deviation(seed -> ReplayedMachine.asRecorded(slow, seed))).isCloseTo(0.10, withinPercentage(5));
    }

    /**
     * The mean of 40 pairs in turns: √((0.02² + 0.14²) / 40) = 0.0224 by what is each round's own. What the machine's mood
     * changes between neighbours is a tenth of that; if one config met it more than the other, the means would differ by
     * some 0.07.
     */
    @Test
    void inPairsDriftCancelsBetweenConfigsOfDifferentNoise() {
        double[] means = LongStream.range(0, 2_000)
                .mapToDouble(ReplayedMachineTest::meanLogRatioOfFortyPairs)
                .toArray();

        assertThat(Arrays.stream(means).average().orElseThrow()).isCloseTo(0, within(0.002));
        assertThat(Math.sqrt(Arrays.stream(means).map(mean -> mean * mean).sum() / means.length))
                .isCloseTo(0.0224, withinPercentage(6));
    }

    private static double meanLogRatioOfFortyPairs(long seed) {
        Surface surface = recorded(
                config -> new RecordedNoise(config.numWorkers() == 0 ? 0.02 : 0.14, 1_000_000), OptionalDouble.empty());
        ReplayedMachine machine = ReplayedMachine.asRecorded(surface, seed);
        double sum = 0;
        for (int pair = 0; pair < 40; pair++) {
            boolean ahead = pair % 2 == 0;
            double first = Math.log(firstRate(machine, ahead ? 0 : 2));
            double second = Math.log(firstRate(machine, ahead ? 2 : 0));
            sum += ahead ? second - first : first - second;
        }
        return sum / 40;
    }

    private static double firstRate(ReplayedMachine machine, int workers) {
        return machine.measure(Ask.first(config(workers))).samplesPerSecond();
    }

    private static Surface recorded(RecordedNoise noise, OptionalDouble step) {
        return recorded(config -> noise, step);
    }

    private static Surface recorded(Function<LoaderConfig, RecordedNoise> noise, OptionalDouble step) {
        return new Surface() {
            @Override
            public double samplesPerSecond(LoaderConfig config) {
                return step.isEmpty() ? 500 : 333.3;
            }

            @Override
            public double loaderAloneSamplesPerSecond(LoaderConfig config) {
                return 500;
            }

            @Override
            public OptionalDouble stepSamplesPerSecond(LoaderConfig config) {
                return step;
            }

            @Override
            public double overheadSeconds(LoaderConfig config) {
                return 0;
            }

            @Override
            public Optional<RecordedNoise> recordedNoise(LoaderConfig config) {
                return Optional.of(noise.apply(config));
            }
        };
    }

    /** Of the logarithm of the first round's rate, over 5,000 machines. */
    private static double deviation(LongFunction<ReplayedMachine> machines) {
        double[] logs = LongStream.range(0, 5_000)
                .mapToDouble(seed -> Math.log(
                        machines.apply(seed).measure(Ask.first(config(0))).samplesPerSecond()))
                .toArray();
        double mean = Arrays.stream(logs).average().orElseThrow();
        return Math.sqrt(
                Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum() / (logs.length - 1));
    }

    private static double rate(Surface surface, NoiseProfile noise, int workers) {
        return new ReplayedMachine(surface, noise, 1)
                .measure(Ask.first(config(workers)))
                .samplesPerSecond();
    }

    private static LoaderConfig config(int workers) {
        return LoaderConfig.of(workers, 2, false, 64, true, null);
    }
}
