package io.loadertuner.core.study;

import static io.loadertuner.core.study.Settings.config;
import static io.loadertuner.core.study.Settings.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.space.LoaderConfig;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** An order that repeats itself round after round would turn a steady drift into a difference. */
class RandomOrderTest {
    private static final int SEEDS = 400;
    private static final List<LoaderConfig> PAIR = List.of(config(1), config(2));

    @Test
    void the_same_seed_and_round_give_the_same_order() {
        for (long seed = 0; seed < SEEDS; seed++) {
            assertThat(order(seed, 1)).isEqualTo(order(seed, 1)).containsExactlyInAnyOrderElementsOf(PAIR);
        }
    }

    @Test
    void either_of_two_comes_first_as_often() {
        // 400 tosses of a coin: 200 ± 4 standard deviations of 10.
        assertThat(seedsWhere(seed -> order(seed, 1).equals(PAIR))).isBetween(160L, 240L);
    }

    @Test
    void the_order_of_a_round_says_nothing_about_the_next() {
        for (int round = 1; round < 5; round++) {
            int now = round;
            assertThat(seedsWhere(seed -> order(seed, now).equals(order(seed, now + 1))))
                    .isBetween(160L, 240L);
        }
    }

    private static long seedsWhere(LongPredicate condition) {
        return LongStream.range(0, SEEDS).filter(condition).count();
    }

    private static List<LoaderConfig> order(long seed, int round) {
        return new Search(settings().seed(seed), List.of()).shuffled(PAIR, Phase.CONFIRM, round);
    }
}
