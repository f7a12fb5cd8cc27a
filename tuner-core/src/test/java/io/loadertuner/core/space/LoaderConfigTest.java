package io.loadertuner.core.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoaderConfigTest {

    @Test
    void without_workers_there_is_neither_prefetch_nor_persistence() {
        LoaderConfig config = LoaderConfig.of(0, 4, false, 64, true, null);

        assertThat(config.prefetchFactor()).isNull();
        assertThat(config.persistentWorkers()).isFalse();
        assertThat(config.batchesInFlight()).isZero();
        assertThat(config.cycle()).isEqualTo(1);
    }

    @Test
    void all_prefetch_factors_are_one_config_without_workers() {
        assertThat(LoaderConfig.of(0, 1, false, 64, true, null))
                .isEqualTo(LoaderConfig.of(0, 8, false, 64, false, null));
    }

    @Test
    void a_cycle_has_one_batch_of_each_worker_and_the_queue_holds_prefetch_times_as_many() {
        LoaderConfig config = LoaderConfig.of(6, 4, false, 64, true, null);

        assertThat(config.cycle()).isEqualTo(6);
        assertThat(config.batchesInFlight()).isEqualTo(24);
    }

    @Test
    void non_blocking_follows_pinning() {
        assertThat(LoaderConfig.of(2, 2, true, 64, true, null).nonBlocking()).isTrue();
        assertThat(LoaderConfig.of(2, 2, false, 64, true, null).nonBlocking()).isFalse();
    }

    @Test
    void prefetch_without_workers_is_refused() {
        assertRefused("prefetch_factor", () -> new LoaderConfig(0, 2, false, 64, false, false, null));
    }

    @Test
    void persistence_without_workers_is_refused() {
        assertRefused("persistent_workers", () -> new LoaderConfig(0, null, false, 64, true, false, null));
    }

    @Test
    void workers_without_prefetch_are_refused() {
        assertRefused("prefetch_factor", () -> new LoaderConfig(1, null, false, 64, false, false, null));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1025, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void workers_out_of_range_are_refused(int workers) {
        assertRefused("num_workers", () -> new LoaderConfig(workers, 2, false, 64, false, false, null));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1025})
    void prefetch_out_of_range_is_refused(int prefetch) {
        assertRefused("prefetch_factor", () -> LoaderConfig.of(1, prefetch, false, 64, true, null));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1_048_577})
    void a_batch_out_of_range_is_refused(int batch) {
        assertRefused("batch_size", () -> LoaderConfig.of(1, 2, false, batch, true, null));
    }

    @Test
    void the_ends_of_every_range_are_accepted() {
        LoaderConfig largest = LoaderConfig.of(1024, 1024, true, 1_048_576, true, "spawn");
        LoaderConfig smallest = LoaderConfig.of(1, 1, false, 1, false, "fork");

        assertThat(largest.batchesInFlight()).isEqualTo(1_048_576);
        assertThat(smallest.batchesInFlight()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"thread", "", "Fork", "fork "})
    void an_unknown_start_method_is_refused(String context) {
        assertRefused("multiprocessing_context", () -> LoaderConfig.of(1, 2, false, 64, true, context));
    }

    @Test
    void a_config_describes_itself() {
        assertThat(LoaderConfig.of(0, 2, false, 64, true, null).describe()).isEqualTo("0 workers, batch 64");
        assertThat(LoaderConfig.of(1, 2, true, 32, true, null).describe())
                .isEqualTo("1 worker, prefetch 2, batch 32, pinned");
        assertThat(LoaderConfig.of(3, 4, false, 8, true, "spawn").describe())
                .isEqualTo("3 workers, prefetch 4, batch 8, spawn");
    }

    @Test
    void a_setting_has_its_name_in_pytorch_and_its_value_in_a_config() {
        LoaderConfig config = LoaderConfig.of(3, 4, true, 8, true, null);
        LoaderConfig without = LoaderConfig.of(0, 4, false, 8, true, null);

        assertThat(Setting.values())
                .extracting(Setting::parameterName)
                .containsExactly("num_workers", "prefetch_factor", "pin_memory", "batch_size");
        assertThat(Setting.values())
                .extracting(setting -> setting.valueIn(config))
                .containsExactly("3", "4", "true", "8");
        assertThat(Setting.PREFETCH_FACTOR.valueIn(without)).isEqualTo("none");
    }

    private static void assertRefused(String field, Runnable making) {
        assertThatExceptionOfType(InvalidFieldException.class)
                .isThrownBy(making::run)
                .satisfies(thrown -> assertThat(thrown.field()).isEqualTo(field))
                .withMessageStartingWith(field + ": ");
    }
}
