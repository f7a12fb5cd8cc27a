package io.loadertuner.core.study;

import static io.loadertuner.core.study.Settings.config;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.loadertuner.core.space.InvalidFieldException;
import io.loadertuner.core.space.LoaderConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StudyValuesTest {

    @Test
    void a_budget_has_defaults_and_bounds() {
        assertThat(Budget.DEFAULT).isEqualTo(new Budget(300, 60));
        assertThat(new Budget(10, 1).wallSeconds()).isEqualTo(10);
        assertThat(new Budget(86_400, 10_000).maxTrials()).isEqualTo(10_000);
        assertRefused("seconds", () -> new Budget(9, 1));
        assertRefused("seconds", () -> new Budget(86_401, 1));
        assertRefused("trials", () -> new Budget(10, 0));
        assertRefused("trials", () -> new Budget(10, 10_001));
    }

    @Test
    void an_observation_is_either_a_positive_rate_or_a_failure() {
        Ask ask = new Ask(config(2), Phase.WORKERS, 1);

        assertThat(new Observation(ask, 12.5, null, 1, 1).samplesPerSecond()).isEqualTo(12.5);
        assertThat(new Observation(ask, null, "timed_out", 1, 1).failure()).isEqualTo("timed_out");
        assertThatIllegalArgumentException().isThrownBy(() -> new Observation(ask, null, null, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Observation(ask, 12.5, "timed_out", 1, 1));
        for (double rate : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatIllegalArgumentException().isThrownBy(() -> new Observation(ask, rate, null, 1, 1));
        }
    }

    @Test
    void an_ask_measures_the_step_too_unless_the_loader_is_wanted_alone() {
        assertThat(new Ask(config(2), Phase.LOADER_ALONE, 1).withStep()).isFalse();
        assertThat(new Ask(config(2), Phase.WORKERS, 1).withStep()).isTrue();
        assertThat(new Ask(config(2), Phase.WORKERS, 1).plan().minCycles()).isEqualTo(2);
        assertThat(new Ask(config(2), Phase.CONFIRM, 1).plan().minCycles()).isEqualTo(4);
        assertThat(new Ask(config(2), Phase.CONFIRM, 3).block()).isEqualTo("confirm-3");
    }

    @Test
    void cheapest_are_few_workers_then_little_memory_then_the_default_prefetch_then_no_pinning() {
        List<LoaderConfig> ascending = List.of(
                of(0, 2, false, 64),
                of(0, 2, true, 64),
                of(0, 2, false, 128),
                of(1, 1, false, 64),
                // 128 samples in flight each: prefetch 2 before 4 and 1, no pinning before pinning.
                of(1, 2, false, 64),
                of(1, 2, true, 64),
                of(1, 1, false, 128),
                of(1, 4, false, 32),
                of(1, 4, false, 64),
                of(2, 1, false, 16));
        List<LoaderConfig> shuffled = new ArrayList<>(ascending);
        Collections.shuffle(shuffled, new Random(5));

        shuffled.sort(CostOrder.USUAL.cheapestFirst(1_000));

        assertThat(shuffled).containsSubsequence(ascending.get(0), ascending.get(1));
        assertThat(shuffled.subList(3, 6)).isEqualTo(ascending.subList(3, 6));
        assertThat(shuffled.subList(8, 10)).isEqualTo(ascending.subList(8, 10));
    }

    @Test
    void costs_come_in_the_order_in_which_they_are_named_and_the_others_after_them() {
        CostOrder order = CostOrder.named(List.of("pin_memory", "host_memory"));
        List<LoaderConfig> configs =
                new ArrayList<>(List.of(of(1, 1, true, 64), of(1, 4, false, 64), of(2, 1, false, 64)));

        configs.sort(order.cheapestFirst(1_000));

        assertThat(order.names())
                .containsExactly("pin_memory", "host_memory", "num_workers", "prefetch_factor", "batch_size");
        // Two batches in flight are less memory than four, and one pinned one comes last.
        assertThat(configs).containsExactly(of(2, 1, false, 64), of(1, 4, false, 64), of(1, 1, true, 64));
        configs.sort(CostOrder.USUAL.cheapestFirst(1_000));
        assertThat(configs).containsExactly(of(1, 1, true, 64), of(1, 4, false, 64), of(2, 1, false, 64));
    }

    @Test
    void without_workers_there_is_no_prefetching_and_it_costs_nothing() {
        CostOrder order = CostOrder.named(List.of("prefetch_factor"));
        List<LoaderConfig> configs = new ArrayList<>(
                List.of(of(1, 1, false, 16), of(8, 2, false, 64), of(2, 2, false, 64), of(0, 2, true, 128)));

        configs.sort(order.cheapestFirst(1_000));

        assertThat(configs)
                .containsExactly(of(0, 2, true, 128), of(2, 2, false, 64), of(8, 2, false, 64), of(1, 1, false, 16));
    }

    @Test
    void a_cost_that_is_unknown_or_named_twice_is_refused() {
        assertRefused("cost_order", () -> CostOrder.named(List.of("num_workers", "disk")));
        assertRefused("cost_order", () -> CostOrder.named(List.of("num_workers", "batch_size", "num_workers")));
    }

    private static LoaderConfig of(int workers, int prefetch, boolean pinned, int batch) {
        return LoaderConfig.of(workers, prefetch, pinned, batch, true, null);
    }

    private static void assertRefused(String field, Runnable making) {
        assertThatExceptionOfType(InvalidFieldException.class)
                .isThrownBy(making::run)
                .satisfies(thrown -> assertThat(thrown.field()).isEqualTo(field));
    }
}
