package io.loadertuner.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.measure.PairedRounds;
import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import io.loadertuner.core.study.Ask;
import io.loadertuner.core.study.Budget;
import io.loadertuner.core.study.GuardedSearch;
import io.loadertuner.core.study.Recommendation;
import io.loadertuner.core.study.Recommendation.Kind;
import io.loadertuner.core.study.SearchSettings;
import io.loadertuner.core.study.sampler.SamplerKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether 95 % intervals hold the truth as often as they say, over many comparisons with the noise and drift as measured. */
@NullUnmarked
class CoverageTest {
    private static final int COMPARISONS = 2_000;

    /** Fewer, because each is some hundred rounds; docs/decisions/0009 has the figures of 2,000. */
    private static final int STUDIES = 400;

    private static final LoaderConfig ONE = config(1);
    private static final LoaderConfig TWO = config(2);

    @ParameterizedTest
    @ValueSource(ints = {5, 10, 20})
    void of_a_fixed_pair_on_a_shared_machine_the_truth_is_held_as_often_as_stated(int rounds) {
        // The standard error of a share of 0.95 of 2,000 is 0.5 points.
        assertThat(coverageOfAPair(NoiseProfile.SHARED, rounds)).isBetween(0.93, 0.97);
    }

    @Test
    void of_three_rounds_it_is_held_at_least_as_often() {
        assertThat(coverageOfAPair(NoiseProfile.SHARED, 3)).isGreaterThanOrEqualTo(0.93);
    }

    @Test
    void of_a_fixed_pair_on_a_quiet_machine_the_truth_is_held_at_least_as_often() {
        assertThat(coverageOfAPair(NoiseProfile.QUIET, 5)).isGreaterThanOrEqualTo(0.93);
    }

    @Test
    void where_nothing_differs_the_baseline_is_left_in_less_than_one_of_forty_studies() {
        List<ReplayedStudy> studies = studies(surface(config -> 1_000), NoiseProfile.SHARED);

        assertThat(studies.stream()
                        .filter(study -> !recommended(study).equals(ONE))
                        .count())
                .isLessThan(STUDIES / 40);
    }

    @Test
    void the_interval_of_the_recommended_config_holds_its_true_speedup() {
        Surface surface = surface(config -> 1_000 * Math.pow(Math.max(1, config.numWorkers()), 0.4));
        int held = 0;
        int left = 0;
        for (ReplayedStudy study : studies(surface, NoiseProfile.SHARED)) {
            Recommendation found = study.conclusion().recommendation();
            if (found.kind() == Kind.FASTER) {
                double truth = surface.samplesPerSecond(found.config()) / surface.samplesPerSecond(ONE);
                left++;
                held += found.speedup().low() <= truth
                                && truth <= found.speedup().high()
                        ? 1
                        : 0;
            }
        }

        assertThat((double) held / left).isGreaterThanOrEqualTo(0.93);
    }

    private static double coverageOfAPair(NoiseProfile noise, int rounds) {
        Surface surface = surface(config -> config.equals(TWO) ? 1_080 : 1_000);
        long held = LongStream.range(0, COMPARISONS)
                .filter(seed -> {
                    Ratio ratio = compare(new ReplayedMachine(surface, noise, seed), rounds, seed);
                    return ratio.low() <= 1.08 && 1.08 <= ratio.high();
                })
                .count();
        return (double) held / COMPARISONS;
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

    private static List<ReplayedStudy> studies(Surface surface, NoiseProfile noise) {
        return LongStream.range(0, STUDIES)
                .parallel()
                .mapToObj(seed -> ReplayedStudy.run(
                        new GuardedSearch(settings(seed), SamplerKind.ONE_AT_A_TIME.create()),
                        new ReplayedMachine(surface, noise, seed)))
                .toList();
    }

    private static LoaderConfig recommended(ReplayedStudy study) {
        return study.conclusion().recommendation().config();
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
                List.of());
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
}
