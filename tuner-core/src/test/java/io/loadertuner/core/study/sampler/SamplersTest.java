package io.loadertuner.core.study.sampler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import io.loadertuner.core.study.Direction;
import io.loadertuner.core.study.Outcome;
import io.loadertuner.core.study.Sampler;
import io.loadertuner.core.study.Study;
import io.loadertuner.core.study.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SamplersTest {
    /** (1 + 20 × 4) × 2 × 4 = 648 configs. */
    private static final SearchSpace SPACE = new SearchSpace(
            IntStream.rangeClosed(0, 20).boxed().toList(),
            List.of(1, 2, 4, 8),
            List.of(false, true),
            List.of(32, 64, 128, 256),
            true,
            null);

    @Test
    void the_grid_has_every_config_once() {
        List<LoaderConfig> configs = search(new GridSampler(), 1, 1_000, config -> 1);

        assertThat(configs).hasSize(648).doesNotHaveDuplicates().containsAll(SPACE.configs());
    }

    @Test
    void random_has_every_config_once_if_it_may_go_on() {
        List<LoaderConfig> configs = search(new RandomSampler(), 1, 1_000, config -> 1);

        assertThat(configs).hasSize(648).doesNotHaveDuplicates();
    }

    @Test
    void a_grid_that_is_cut_off_has_met_every_value() {
        for (long seed = 0; seed < 20; seed++) {
            List<LoaderConfig> configs = search(new GridSampler(), seed, 60, config -> 1);

            assertThat(configs).extracting(LoaderConfig::batchSize).contains(32, 64, 128, 256);
            assertThat(configs).extracting(LoaderConfig::pinMemory).contains(false, true);
            assertThat(configs).extracting(LoaderConfig::prefetchFactor).contains(1, 2, 4, 8);
            assertThat(configs).anyMatch(config -> config.numWorkers() <= 3);
            assertThat(configs).anyMatch(config -> config.numWorkers() >= 17);
        }
    }

    @Test
    void the_order_of_the_grid_is_not_changed_by_what_comes_of_it() {
        assertThat(search(new GridSampler(), 1, 50, config -> config.numWorkers() + 1))
                .isEqualTo(search(new GridSampler(), 1, 50, config -> 21 - config.numWorkers()));
    }

    @Test
    void random_looks_at_zero_workers_as_often_as_at_any_number() {
        long zero = 0;
        for (long seed = 0; seed < 2_000; seed++) {
            zero += search(new RandomSampler(), seed, 1, config -> 1).get(0).numWorkers() == 0 ? 1 : 0;
        }

        // One of 21; by the list of configs it would be one of 81.
        assertThat(zero / 2_000.0).isCloseTo(1 / 21.0, within(0.015));
    }

    @Test
    void genetic_breeds_towards_what_is_good() {
        ToDoubleFunction<LoaderConfig> peak = config -> 1_000
                - 30 * Math.abs(config.numWorkers() - 14)
                - 40 * Math.abs(config.batchesInFlight() - 56) / 14.0
                - (config.pinMemory() ? 0 : 150)
                - config.batchSize() / 4.0;

        double genetic = 0;
        double random = 0;
        for (long seed = 0; seed < 40; seed++) {
            genetic += best(search(new GeneticSampler(), seed, 60, peak), peak);
            random += best(search(new RandomSampler(), seed, 60, peak), peak);
        }

        assertThat(genetic / 40).isGreaterThan(random / 40 + 20);
    }

    @Test
    void genetic_begins_like_random_search() {
        assertThat(search(new GeneticSampler(), 7, 8, config -> 1))
                .isEqualTo(search(new RandomSampler(), 7, 8, config -> 1));
    }

    @Test
    void genetic_stays_away_from_what_fails() {
        long failures = 0;
        long late = 0;
        for (long seed = 0; seed < 20; seed++) {
            Study study = study(new GeneticSampler(), seed);
            for (int round = 0; round < 40; round++) {
                Trial trial = study.ask().orElseThrow();
                boolean fails = trial.config().numWorkers() > 5;
                study.tell(trial, fails ? Outcome.failed("worker_crashed") : Outcome.value(100 + round % 3));
                if (round >= 20) {
                    late++;
                    failures += fails ? 1 : 0;
                }
            }
        }

        // Fifteen of 21 numbers of workers fail: random search would meet 71 %.
        assertThat(failures / (double) late).isLessThan(0.45);
    }

    @Test
    void genetic_ends_when_every_config_has_been_met() {
        assertThat(search(new GeneticSampler(), 1, 1_000, LoaderConfig::batchSize))
                .hasSize(648)
                .doesNotHaveDuplicates();
    }

    @Test
    void the_samplers_have_the_names_of_requests() {
        assertThat(SamplerKind.codes()).containsExactly("one_at_a_time", "genetic", "random", "grid");
        assertThat(SamplerKind.named("genetic")).contains(SamplerKind.GENETIC);
        assertThat(SamplerKind.named("GENETIC")).isEmpty();
        assertThat(SamplerKind.GRID.create()).isInstanceOf(GridSampler.class);
    }

    private static Study study(Sampler sampler, long seed) {
        return Study.builder(SPACE, Direction.MAXIMIZE)
                .sampler(sampler)
                .seed(seed)
                .build();
    }

    private static List<LoaderConfig> search(
            Sampler sampler, long seed, int trials, ToDoubleFunction<LoaderConfig> value) {
        Study study = study(sampler, seed);
        List<LoaderConfig> configs = new ArrayList<>();
        while (configs.size() < trials) {
            Trial trial = study.ask().orElse(null);
            if (trial == null) {
                return configs;
            }
            configs.add(trial.config());
            study.tell(trial, Outcome.value(value.applyAsDouble(trial.config())));
        }
        return configs;
    }

    private static double best(List<LoaderConfig> configs, ToDoubleFunction<LoaderConfig> value) {
        return configs.stream().mapToDouble(value).max().orElseThrow();
    }
}
