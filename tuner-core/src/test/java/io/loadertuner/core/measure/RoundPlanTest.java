package io.loadertuner.core.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.space.LoaderConfig;
import org.junit.jupiter.api.Test;

class RoundPlanTest {

    @Test
    void with_workers_the_first_cycle_and_half_a_second_are_never_measured() {
        RoundPlan plan = RoundPlan.exploring(workers(4));

        assertThat(plan.warmupBatches()).isEqualTo(4);
        assertThat(plan.warmupSeconds()).isEqualTo(0.5);
        assertThat(plan.cycle()).isEqualTo(4);
    }

    @Test
    void without_workers_a_second_and_a_half_is_never_measured_and_a_cycle_is_one_batch() {
        RoundPlan plan = RoundPlan.exploring(workers(0));

        assertThat(plan.warmupBatches()).isEqualTo(1);
        assertThat(plan.warmupSeconds()).isEqualTo(1.5);
        assertThat(plan.cycle()).isEqualTo(1);
    }

    @Test
    void a_window_is_a_second_of_at_least_two_cycles_and_four_where_something_is_decided() {
        RoundPlan exploring = RoundPlan.exploring(workers(4));
        RoundPlan confirming = RoundPlan.confirming(workers(4));

        assertThat(exploring.windowSeconds()).isEqualTo(1);
        assertThat(exploring.minCycles()).isEqualTo(2);
        assertThat(confirming.minCycles()).isEqualTo(4);
        assertThat(confirming.maxWindowSeconds()).isEqualTo(10);
    }

    @Test
    void a_fast_loader_takes_its_least_warm_up_and_window() {
        // 2 × 64 samples at 1280/s: a cycle of 0.1 s. 0.5 + 1.
        assertThat(RoundPlan.exploring(workers(2)).predictedSeconds(64, 1280)).isCloseTo(1.5, within(1e-9));
        // 1.5 + 1.
        assertThat(RoundPlan.exploring(workers(0)).predictedSeconds(64, 1280)).isCloseTo(2.5, within(1e-9));
    }

    @Test
    void a_slow_loader_takes_three_cycles_of_its_batches() {
        // 4 × 64 samples at 64/s: a cycle of 4 s, one to warm up and two to measure.
        assertThat(RoundPlan.exploring(workers(4)).predictedSeconds(64, 64)).isCloseTo(12, within(1e-9));
    }

    @Test
    void warm_up_and_window_are_whole_cycles_long() {
        // 4 × 64 samples at 640/s: a cycle of 0.4 s, two to warm up and three to measure.
        assertThat(RoundPlan.exploring(workers(4)).predictedSeconds(64, 640)).isCloseTo(2, within(1e-9));
    }

    @Test
    void a_window_closes_at_ten_seconds_though_it_holds_fewer_cycles() {
        // A cycle of 4 s to warm up; of four cycles, which would be 16 s, the third ends after ten seconds.
        assertThat(RoundPlan.confirming(workers(4)).predictedSeconds(64, 64)).isCloseTo(16, within(1e-9));
        // 6 × 256 samples at 128/s: a cycle of 12 s is longer than the longest window, but holds one whole cycle.
        assertThat(RoundPlan.exploring(workers(6)).predictedSeconds(256, 128)).isCloseTo(24, within(1e-9));
    }

    private static LoaderConfig workers(int number) {
        return LoaderConfig.of(number, 2, false, 64, true, null);
    }
}
