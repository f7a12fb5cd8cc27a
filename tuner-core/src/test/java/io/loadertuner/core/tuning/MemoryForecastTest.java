package io.loadertuner.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.space.LoaderConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a config will take, from a batch of 8 samples of 1 MiB and a process of 200 MiB. */
class MemoryForecastTest {
    private static final long MIB = 1 << 20;
    private static final LoaderConfig ALONE = LoaderConfig.of(0, 2, false, 8, true, null);
    private static final LoaderConfig SHALLOW = LoaderConfig.of(2, 2, false, 8, true, null);
    private static final LoaderConfig DEEP = LoaderConfig.of(2, 16, false, 8, true, null);
    private static final LoaderConfig SPAWNED = LoaderConfig.of(2, 2, false, 16, true, "spawn");

    private final MemoryForecast forecast = new MemoryForecast(facts(8 * MIB, 200 * MIB), 1);

    @Test
    void a_full_queue_holds_workers_times_prefetch_batches() {
        assertThat(forecast.sharedMemoryBytes(ALONE)).isZero();
        assertThat(forecast.sharedMemoryBytes(SHALLOW)).isEqualTo(32 * MIB);
        assertThat(forecast.sharedMemoryBytes(DEEP)).isEqualTo(256 * MIB);
        assertThat(forecast.sharedMemoryBytes(SPAWNED)).isEqualTo(64 * MIB);
    }

    @Test
    void spawned_workers_are_processes_of_their_own() {
        assertThat(forecast.memoryBytes(ALONE)).isEqualTo(208 * MIB);
        assertThat(forecast.memoryBytes(SHALLOW)).isEqualTo((200 + 32 + 8) * MIB);
        assertThat(forecast.memoryBytes(SPAWNED)).isEqualTo((3 * 200 + 64 + 16) * MIB);
    }

    @Test
    void every_rank_has_a_queue_and_processes_of_its_own() {
        MemoryForecast ofTwo = new MemoryForecast(facts(8 * MIB, 200 * MIB), 2);

        assertThat(ofTwo.sharedMemoryBytes(SHALLOW)).isEqualTo(2 * 32 * MIB);
        assertThat(ofTwo.memoryBytes(SPAWNED)).isEqualTo(2 * (3 * 200 + 64 + 16) * MIB);
    }

    @Test
    void what_is_not_known_is_not_predicted() {
        assertThat(new MemoryForecast(facts(null, 200 * MIB), 1).sharedMemoryBytes(DEEP))
                .isNull();
        assertThat(new MemoryForecast(facts(null, 200 * MIB), 1).memoryBytes(DEEP))
                .isNull();
        assertThat(new MemoryForecast(facts(8 * MIB, null), 1).memoryBytes(DEEP))
                .isNull();
    }

    @Test
    void what_exceeds_a_limit_is_named_with_both_sizes() {
        assertThat(obstacle(DEEP, 1 << 12, 255, Constraints.NONE))
                .isEqualTo("a full queue would take 256 MiB, more than free in /dev/shm: 255 MiB");
        assertThat(obstacle(DEEP, 1 << 12, 256, Constraints.NONE)).isEmpty();
        assertThat(obstacle(DEEP, 463, 300, Constraints.NONE))
                .isEqualTo("batches in flight and the process that reads them would take 464 MiB, more than this"
                        + " machine's memory: 463 MiB");
        // What spawned workers share is not known: they rule nothing out.
        assertThat(obstacle(SPAWNED, 200 + 64 + 16, 300, Constraints.NONE)).isEmpty();
        assertThat(obstacle(DEEP, 464, 300, Constraints.NONE)).isEmpty();
        assertThat(obstacle(DEEP, 1 << 12, 300, new Constraints(null, 263 * MIB, null)))
                .isEqualTo("batches in flight would take 264 MiB, more than max_host_memory_bytes: 263 MiB");
        assertThat(obstacle(DEEP, 1 << 12, 300, new Constraints(null, 264 * MIB, null)))
                .isEmpty();
        assertThat(obstacle(DEEP, 1 << 12, 300, new Constraints(1, null, null))).isEqualTo("max_num_workers is 1");
    }

    @Test
    void exhausted_shared_memory_is_told_with_what_a_full_queue_takes_and_no_other_failure() {
        TrialFailure exhausted = TrialFailure.of(FailureReason.SHARED_MEMORY_EXHAUSTED, "no room");
        TrialFailure killed = TrialFailure.of(FailureReason.WORKER_CRASHED, "killed");

        TrialFailure told = forecast.estimated(exhausted, DEEP);

        assertThat(told.message()).isEqualTo("no room");
        assertThat(told.details()).containsExactly(entry("shared_memory_estimate_bytes", 256 * MIB));
        assertThat(forecast.estimated(killed, DEEP)).isSameAs(killed);
        assertThat(new MemoryForecast(facts(null, null), 1).estimated(exhausted, DEEP))
                .isSameAs(exhausted);
    }

    private static String obstacle(LoaderConfig config, long memoryMib, long sharedMib, Constraints constraints) {
        Machine machine =
                new Machine("host", "cpu", 2, null, memoryMib * MIB, 2 * sharedMib * MIB, sharedMib * MIB, List.of());
        return new Feasibility(machine, facts(8 * MIB, 200 * MIB), constraints, 1)
                .obstacle(config)
                .orElse("");
    }

    private static LoaderFacts facts(@Nullable Long batchBytes, @Nullable Long processBytes) {
        return new LoaderFacts(
                "cpu",
                null,
                null,
                null,
                "fork",
                "map",
                1000L,
                List.of(),
                MIB,
                batchBytes,
                8,
                0.001,
                0.1,
                false,
                processBytes,
                false,
                null,
                null,
                null);
    }
}
