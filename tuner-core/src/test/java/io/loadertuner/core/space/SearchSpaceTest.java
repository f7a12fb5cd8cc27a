package io.loadertuner.core.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SearchSpaceTest {

    @Test
    void holds_every_config_once_and_one_without_workers_for_all_prefetch_factors() {
        SearchSpace space =
                new SearchSpace(List.of(0, 1, 2), List.of(1, 2, 4), List.of(false, true), List.of(32, 64), true, null);

        // For each of 2 pinnings and 2 batch sizes: 1 without workers, 2 × 3 with.
        assertThat(space.configs()).hasSize(28).doesNotHaveDuplicates().allMatch(space::contains);
    }

    @Test
    void without_workers_alone_only_pinning_and_batch_size_are_left() {
        SearchSpace space = new SearchSpace(List.of(0), List.of(1, 2, 4), List.of(false), List.of(32, 64), true, null);

        assertThat(space.configs())
                .containsExactly(
                        LoaderConfig.of(0, 2, false, 32, false, null), LoaderConfig.of(0, 2, false, 64, false, null));
    }

    @Test
    void values_are_put_in_order_and_named_once() {
        SearchSpace space = new SearchSpace(
                List.of(4, 0, 4, 2), List.of(8, 1), List.of(true, false, true), List.of(64, 32), true, null);

        assertThat(space.numWorkers()).containsExactly(0, 2, 4);
        assertThat(space.prefetchFactor()).containsExactly(1, 8);
        assertThat(space.pinMemory()).containsExactly(false, true);
        assertThat(space.batchSize()).containsExactly(32, 64);
    }

    @Test
    void contains_only_configs_made_of_its_values() {
        SearchSpace space = new SearchSpace(List.of(0, 2), List.of(2), List.of(false), List.of(64), true, "spawn");

        assertThat(space.contains(LoaderConfig.of(2, 2, false, 64, true, "spawn")))
                .isTrue();
        assertThat(space.contains(LoaderConfig.of(0, 7, false, 64, true, "spawn")))
                .isTrue();
        assertThat(space.contains(LoaderConfig.of(1, 2, false, 64, true, "spawn")))
                .isFalse();
        assertThat(space.contains(LoaderConfig.of(2, 4, false, 64, true, "spawn")))
                .isFalse();
        assertThat(space.contains(LoaderConfig.of(2, 2, true, 64, true, "spawn")))
                .isFalse();
        assertThat(space.contains(LoaderConfig.of(2, 2, false, 32, true, "spawn")))
                .isFalse();
        assertThat(space.contains(LoaderConfig.of(2, 2, false, 64, false, "spawn")))
                .isFalse();
        assertThat(space.contains(LoaderConfig.of(2, 2, false, 64, true, null))).isFalse();
    }

    @Test
    void a_setting_without_values_is_refused_by_name() {
        List<Integer> none = List.of();

        assertRefused("num_workers", () -> space(none, List.of(2), List.of(64), null));
        assertRefused("prefetch_factor", () -> space(List.of(1), none, List.of(64), null));
        assertRefused("batch_size", () -> space(List.of(1), List.of(2), none, null));
        assertRefused("pin_memory", () -> new SearchSpace(List.of(1), List.of(2), List.of(), List.of(64), true, null));
    }

    @Test
    void values_that_no_config_may_have_are_refused_by_name() {
        assertRefused("num_workers", () -> space(List.of(0, 1025), List.of(2), List.of(64), null));
        assertRefused("prefetch_factor", () -> space(List.of(0), List.of(0), List.of(64), null));
        assertRefused("batch_size", () -> space(List.of(0), List.of(2), List.of(0, 64), null));
        assertRefused("multiprocessing_context", () -> space(List.of(0), List.of(2), List.of(64), "thread"));
    }

    @Test
    void what_the_caller_does_to_its_lists_later_changes_nothing() {
        List<Integer> workers = new ArrayList<>(List.of(0, 1));
        SearchSpace space = space(workers, List.of(2), List.of(64), null);

        workers.add(9);

        assertThat(space.numWorkers()).containsExactly(0, 1);
    }

    @Test
    void the_nearest_config_has_the_nearest_value_of_each_setting() {
        SearchSpace space = space(List.of(1, 4, 8), List.of(1, 4), List.of(32, 64), null);

        assertThat(space.nearest(LoaderConfig.of(5, 3, true, 1000, false, "spawn")))
                .isEqualTo(space.config(4, 4, false, 64));
        assertThat(space.nearest(LoaderConfig.of(6, 1, false, 48, true, null)))
                .isEqualTo(space.config(4, 1, false, 32));
        // Without workers there is no prefetch factor; PyTorch's default of 2 stands for it.
        assertThat(space.nearest(LoaderConfig.of(0, 2, false, 64, true, null)))
                .isEqualTo(space.config(1, 1, false, 64));
        assertThat(space.configs())
                .allSatisfy(config -> assertThat(space.nearest(config)).isEqualTo(config));
    }

    private static SearchSpace space(
            List<Integer> workers, List<Integer> prefetch, List<Integer> batch, @Nullable String context) {
        return new SearchSpace(workers, prefetch, List.of(false), batch, true, context);
    }

    private static void assertRefused(String field, Runnable making) {
        assertThatExceptionOfType(InvalidFieldException.class)
                .isThrownBy(making::run)
                .satisfies(thrown -> assertThat(thrown.field()).isEqualTo(field));
    }

    @Test
    void more_configs_than_can_be_listed_are_refused() {
        List<Integer> upTo1024 = IntStream.rangeClosed(0, 1024).boxed().toList();
        List<Integer> from1To1024 = upTo1024.subList(1, 1025);

        // 1,024 numbers of workers times 1,024 prefetch factors, and none.
        assertThatThrownBy(() -> new SearchSpace(upTo1024, from1To1024, List.of(false), List.of(32), true, null))
                .isInstanceOf(InvalidFieldException.class)
                .hasMessageContainingAll(
                        "num_workers: has 1025 values", "1048577 configs", "at most 100000", "leave some out");
        assertThatThrownBy(() ->
                        new SearchSpace(List.of(0, 1), from1To1024, List.of(false, true), from1To1024, true, null))
                .hasMessageContaining("2099200 configs");
        assertThat(new SearchSpace(upTo1024, List.of(2), List.of(false), List.of(32), true, null).configs())
                .hasSize(1025);
    }
}
