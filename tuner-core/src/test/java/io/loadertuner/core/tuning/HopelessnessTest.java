package io.loadertuner.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import io.loadertuner.core.study.Phase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A study ends early where nothing that is left could fare better, and nowhere else. */
class HopelessnessTest {
    private static final LoaderConfig BASELINE = config(0, 2, false, 8);
    private static final SearchSpace SPACE =
            new SearchSpace(List.of(0, 1, 2, 4), List.of(1, 2), List.of(false), List.of(8, 16), true, null);

    @Test
    void three_alike_with_and_without_workers_are_enough() {
        List<LoaderConfig> three = List.of(BASELINE, config(2, 2, false, 8), config(1, 2, false, 8));

        assertThat(reached(FailureReason.DATASET_ERROR, three)).isTrue();
        assertThat(reached(FailureReason.DATASET_ERROR, three.subList(0, 2))).isFalse();
        assertThat(reached(FailureReason.TIMED_OUT, three)).isTrue();
    }

    @Test
    void none_ends_it_while_the_config_that_asks_for_least_was_not_tried() {
        assertThat(reached(
                        FailureReason.WORKER_CRASHED,
                        List.of(config(1, 1, false, 8), config(2, 1, false, 8), config(4, 1, false, 8))))
                .as("0 workers")
                .isFalse();
        assertThat(reached(
                        FailureReason.COLLATE_ERROR,
                        List.of(config(0, 2, false, 16), config(1, 1, false, 8), config(2, 1, false, 8))))
                .as("0 workers at the smallest batch")
                .isFalse();
        assertThat(reached(
                        FailureReason.WORKER_CRASHED,
                        List.of(BASELINE, config(0, 2, false, 16), config(0, 2, false, 32))))
                .as("any workers")
                .isFalse();
    }

    @Test
    void the_data_are_the_same_at_any_batch_size() {
        List<LoaderConfig> three = List.of(config(0, 2, false, 16), config(1, 2, false, 16), config(2, 2, false, 16));

        assertThat(reached(FailureReason.DATASET_ERROR, three)).isTrue();
        assertThat(reached(FailureReason.HOST_OUT_OF_MEMORY, three)).isFalse();
    }

    @Test
    void what_pinning_breaks_may_work_without() {
        SearchSpace either =
                new SearchSpace(List.of(0, 1, 2), List.of(2), List.of(false, true), List.of(8), true, null);
        List<LoaderConfig> pinned = List.of(config(0, 2, true, 8), config(1, 2, true, 8), config(2, 2, true, 8));

        assertThat(new Hopelessness(either, pinned.get(0)).isReached(failed(FailureReason.DATASET_ERROR, pinned)))
                .isFalse();
    }

    @Test
    void where_workers_are_a_must_the_shallowest_queue_is_one_too() {
        SearchSpace space = new SearchSpace(List.of(2, 4, 8), List.of(1, 2), List.of(false), List.of(8), true, null);
        List<LoaderConfig> deep = List.of(config(2, 2, false, 8), config(4, 2, false, 8), config(8, 2, false, 8));
        List<LoaderConfig> shallow = List.of(config(2, 1, false, 8), config(4, 2, false, 8), config(8, 2, false, 8));
        FailureReason full = FailureReason.SHARED_MEMORY_EXHAUSTED;

        assertThat(new Hopelessness(space, deep.get(0)).isReached(failed(full, deep)))
                .isFalse();
        assertThat(new Hopelessness(space, deep.get(0)).isReached(failed(full, shallow)))
                .isTrue();
    }

    @Test
    void a_step_may_want_another_batch_size() {
        List<TrialRecord> trials = new ArrayList<>();
        for (int workers = 0; workers < 3; workers++) {
            trials.add(failed(
                    workers + 1,
                    config(workers, 2, false, 8),
                    TrialFailure.of(FailureReason.DATASET_ERROR, "the training step failed", Map.of("part", "step"))));
        }

        assertThat(new Hopelessness(SPACE, BASELINE).isReached(trials)).isFalse();
    }

    @Test
    void failures_are_alike_by_reason_exception_place_and_signal_and_not_by_the_numbers_in_their_message() {
        List<TrialRecord> trials = List.of(
                failed(1, BASELINE, raised("ValueError", "a.py:3", "sample 1")),
                failed(2, config(1, 2, false, 8), raised("ValueError", "a.py:3", "sample 77")),
                failed(3, config(2, 2, false, 8), raised("ValueError", "a.py:9", "sample 1")),
                failed(4, config(4, 2, false, 8), raised("KeyError", "a.py:3", "sample 1")));

        assertThat(FailureGroup.of(trials))
                .extracting(FailureGroup::trials)
                .containsExactly(List.of(1, 2), List.of(3), List.of(4));
        assertThat(FailureGroup.nothingMeasured(trials).message())
                .isEqualTo("all 4 trials failed for 3 reasons, the first: sample 1");
        assertThat(new Hopelessness(SPACE, BASELINE).isReached(trials)).isFalse();
    }

    private static boolean reached(FailureReason reason, List<LoaderConfig> configs) {
        return new Hopelessness(SPACE, BASELINE).isReached(failed(reason, configs));
    }

    private static List<TrialRecord> failed(FailureReason reason, List<LoaderConfig> configs) {
        List<TrialRecord> trials = new ArrayList<>();
        for (LoaderConfig config : configs) {
            trials.add(failed(trials.size() + 1, config, TrialFailure.of(reason, "it fails")));
        }
        return trials;
    }

    private static TrialRecord failed(int number, LoaderConfig config, TrialFailure failure) {
        return new TrialRecord(number, config, 0, List.of(), new FailureRecord(Phase.WORKERS, 1, failure, 1, number));
    }

    private static TrialFailure raised(String exception, String frame, String message) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("exception", exception);
        details.put("frame", frame);
        return TrialFailure.of(FailureReason.DATASET_ERROR, message, details);
    }

    private static LoaderConfig config(int workers, int prefetch, boolean pinned, int batch) {
        return LoaderConfig.of(workers, prefetch, pinned, batch, true, null);
    }
}
