package io.loadertuner.core.wild;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.loader.pytorch.TimeLimits;
import io.loadertuner.core.study.TrialState;
import io.loadertuner.core.tuning.TrialReport;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workers that hang, die, or cannot do what the dataset wants. */
@Execution(ExecutionMode.CONCURRENT)
class HangsAndDeathsIT {
    private static final String NONE_OR_TWO = """
            "space": {"num_workers": [0, 2], "prefetch_factor": [2], "batch_size": [8]}, "budget": {"seconds": 200}
            """;

    /** Two workers start within that on a busy machine; a hang is waited for no longer. */
    private static final TimeLimits IMPATIENT = new TimeLimits(
            Duration.ofSeconds(60),
            Duration.ofSeconds(4),
            Duration.ofSeconds(4),
            Duration.ofSeconds(60),
            Duration.ofSeconds(10));

    @Test
    void a_lock_held_across_fork() throws Exception {
        TrialFailure failure = hang("HeldLock");

        assertThat(failure.details().get("stacks")).asString().contains("worker", "wild_hangs.py", "__getitem__");
        assertThat(failure.advice()).contains("lock", "before the fork", "multiprocessing_context spawn");
    }

    @Test
    void a_thread_pool_dead_after_fork() throws Exception {
        TrialFailure failure = hang("DeadPool");

        assertThat(failure.details().get("stacks")).asString().contains("worker", "futures/_base.py", "in read");
        assertThat(failure.advice()).contains("thread pool", "before the fork", "multiprocessing_context spawn");
    }

    @Test
    void an_endless_wait() throws Exception {
        TrialFailure failure = hang("Endless");

        assertThat(failure.details().get("stacks")).asString().contains("worker", "wild_hangs.py", "in befall");
        assertThat(failure.advice()).contains("Read the stacks").doesNotContain("lock");
    }

    @Test
    void a_whole_round_that_takes_too_long_is_ended() throws Exception {
        TimeLimits shortRounds = new TimeLimits(
                Duration.ofSeconds(60),
                Duration.ofSeconds(20),
                Duration.ofSeconds(20),
                Duration.ofSeconds(8),
                Duration.ofSeconds(20));
        WildStudy study = WildStudy.unhurried(
                "wild_hangs:samples", "{\"kind\": \"Crawling\"}", NONE_OR_TWO, shortRounds, WildStudy.PYTHON);

        TrialFailure failure = study.survivedFailureOf(2);
        assertThat(failure.reason()).isEqualTo(FailureReason.TIMED_OUT);
        assertThat(failure.message()).isEqualTo("the whole round was not over after 8.0 s");
        assertThat(failure.details()).containsEntry("limit_seconds", 8.0);
    }

    @Test
    void a_measurement_that_was_complete_when_its_end_hung_keeps_its_numbers() throws Exception {
        TimeLimits shortEnds = new TimeLimits(
                Duration.ofSeconds(60),
                Duration.ofSeconds(20),
                Duration.ofSeconds(20),
                Duration.ofSeconds(60),
                Duration.ofSeconds(1));
        WildStudy study = WildStudy.unhurried(
                "wild_hangs:samples", "{\"kind\": \"HangsAtTheEnd\"}", NONE_OR_TWO, shortEnds, WildStudy.PYTHON);

        study.assertGoesOnWithoutWorkers();
        TrialReport trial = study.withWorkers(2);
        assertThat(trial.state()).isEqualTo(TrialState.COMPLETE);
        assertThat(trial.throughput()).isNotNull();
        assertThat(trial.warnings())
                .containsExactly("the workers did not end within 1.0 s after the measurement and were killed");
        assertThat(study.withWorkers(0).warnings()).isEmpty();
    }

    @Test
    void a_worker_segfaults() throws Exception {
        TrialFailure failure = failure("Crashing");

        assertThat(failure.reason()).isEqualTo(FailureReason.WORKER_CRASHED);
        assertThat(failure.message()).matches("worker [01] was ended by SIGSEGV");
        assertThat(failure.details()).containsEntry("signal", "SIGSEGV").containsEntry("exit_code", null);
        assertThat(failure.details().get("log")).asString().contains("in befall");
        assertThat(failure.advice()).contains("handle opened before the fork", "spawn");
    }

    @Test
    void a_worker_killed() throws Exception {
        TrialFailure failure = failure("Killed");

        assertThat(failure.reason()).isEqualTo(FailureReason.WORKER_CRASHED);
        assertThat(failure.message()).matches("worker [01] was killed by SIGKILL: probably out of memory");
        assertThat(failure.details()).containsEntry("signal", "SIGKILL").doesNotContainKey("oom_kills");
        assertThat(failure.advice()).contains("fewer workers", "counted no kill for want of memory");
    }

    @Test
    void a_pool_inside_the_dataset() throws Exception {
        TrialFailure failure = failure("WithProcess");

        assertThat(failure.reason()).isEqualTo(FailureReason.DATASET_ERROR);
        assertThat(failure.details())
                .containsEntry("exception", "AssertionError")
                .hasEntrySatisfying(
                        "frame", frame -> assertThat(frame).asString().matches("wild_hangs.py:\\d+ in __getitem__"));
        assertThat(failure.advice())
                .startsWith("Workers are daemonic processes, and daemonic processes are not allowed to have children.")
                .contains("num_workers = 0");
    }

    @Test
    void a_log_line_with_error_in_it() throws Exception {
        WildStudy study = WildStudy.unhurried("wild_hangs:samples", "{\"kind\": \"Complaining\"}", NONE_OR_TWO);

        study.assertGoesOnWithoutWorkers();
        assertThat(study.withWorkers(2).state()).isEqualTo(TrialState.COMPLETE);
        assertThat(study.withWorkers(2).failure()).isNull();
        assertThat(study.withWorkers(2).warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"type, 'wild_hangs.OutOfRoomError: (''decoder'', 9)'", "cause, 'RuntimeError: the decoder returned -1'"
    })
    void out_of_memory_under_other_words(String way, String message) throws Exception {
        TrialFailure failure = WildStudy.unhurried(
                        "wild_hangs:samples", "{\"kind\": \"Roomless\", \"way\": \"%s\"}".formatted(way), NONE_OR_TWO)
                .survivedFailureOf(2);

        assertThat(failure.reason()).isEqualTo(FailureReason.HOST_OUT_OF_MEMORY);
        assertThat(failure.message()).isEqualTo(message);
        assertThat(failure.advice()).contains("fewer workers");
    }

    @Test
    void a_setting_silently_not_in_force() throws Exception {
        TrialFailure failure =
                WildStudy.unhurried("wild_hangs:stubborn", "{}", NONE_OR_TWO).survivedFailureOf(2);

        assertThat(failure.reason()).isEqualTo(FailureReason.INVALID_CONFIG);
        assertThat(failure.message()).isEqualTo("prefetch_factor was to be 2, but the DataLoader has 7");
        assertThat(failure.details())
                .containsEntry("setting", "prefetch_factor")
                .containsEntry("requested", 2)
                .containsEntry("effective", 7);
    }

    private static TrialFailure hang(String kind) throws Exception {
        TrialFailure failure = WildStudy.unhurried(
                        "wild_hangs:samples",
                        "{\"kind\": \"%s\"}".formatted(kind),
                        NONE_OR_TWO,
                        IMPATIENT,
                        WildStudy.PYTHON)
                .survivedFailureOf(2);
        assertThat(failure.reason()).isEqualTo(FailureReason.TIMED_OUT);
        assertThat(failure.message()).startsWith("nothing happened for 4.0 s while ");
        assertThat(failure.details()).containsEntry("limit_seconds", 4.0).containsEntry("start_method", "fork");
        return failure;
    }

    private static TrialFailure failure(String kind) throws Exception {
        return WildStudy.unhurried("wild_hangs:samples", "{\"kind\": \"%s\"}".formatted(kind), NONE_OR_TWO)
                .survivedFailureOf(2);
    }
}
