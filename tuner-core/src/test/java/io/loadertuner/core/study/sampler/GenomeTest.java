package io.loadertuner.core.study.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import java.util.List;
import org.junit.jupiter.api.Test;

class GenomeTest {
    private static final SearchSpace SPACE =
            new SearchSpace(List.of(0, 2, 8), List.of(1, 4, 8), List.of(false, true), List.of(32, 256), true, null);

    private final Genome genome = new Genome(SPACE);

    @Test
    void every_config_is_its_own_genotype_decoded() {
        assertThat(SPACE.configs()).allSatisfy(config -> {
            assertThat(genome.decode(genome.encode(config))).isEqualTo(config);
            assertThat(genome.encode(config).isValid()).isTrue();
        });
    }

    @Test
    void any_genotype_is_a_config_of_the_space() {
        LoaderConfig some = SPACE.configs().get(0);

        for (int draw = 0; draw < 500; draw++) {
            assertThat(SPACE.contains(genome.decode(genome.encode(some).newInstance())))
                    .isTrue();
        }
    }

    @Test
    void the_nearest_is_fewest_steps_away() {
        LoaderConfig from = config(2, 4, false, 32);

        // Steps: 8 workers and prefetch 8 are one each, 0 workers one and no prefetch to compare.
        assertThat(genome.nearest(from, List.of(config(8, 8, false, 32), config(2, 8, false, 32))))
                .isEqualTo(config(2, 8, false, 32));
        assertThat(genome.nearest(from, List.of(config(8, 1, true, 256), config(0, 1, true, 32))))
                .isEqualTo(config(0, 1, true, 32));
    }

    private static LoaderConfig config(int workers, int prefetch, boolean pinned, int batch) {
        return SPACE.config(workers, prefetch, pinned, batch);
    }
}
