package io.loadertuner.core.loader.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.pytorch.ProbeMessages.ProcessStack;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AdviceTest {
    private static final String IN_USER_CODE = """
            Thread 0x01 (most recent call first):
              File "threading.py", line 331 in wait

            Current thread 0x02 (most recent call first):
              File "mine.py", line 5 in __getitem__
            """;
    private static final String IN_A_CONDITION = """
            Current thread 0x02 (most recent call first):
              File "/usr/lib/python3/threading.py", line 331 in wait
              File "mine.py", line 5 in __getitem__
            """;

    @Test
    void aWorkerThatSleepsInAFutexAfterAForkWaitsForALockThatIsDead() {
        assertThat(hang("worker", IN_USER_CODE, "futex_do_wait", "fork")).isEqualTo(Advice.LOCK_BEFORE_FORK);
        assertThat(hang("worker", IN_USER_CODE, "hrtimer_nanosleep", "fork"))
                .isEqualTo(FailureReason.TIMED_OUT.advice());
        assertThat(hang("probe", IN_USER_CODE, "futex_do_wait", "fork")).isEqualTo(FailureReason.TIMED_OUT.advice());
    }

    @Test
    void theForkIsNotBlamedWhereThereWasNone() {
        assertThat(hang("worker", IN_USER_CODE, "futex_do_wait", "spawn"))
                .contains("lock", "started by spawn")
                .doesNotContain("before");
    }

    @Test
    void whereTheKernelDoesNotTellTheStackOfTheMainThreadDoes() {
        assertThat(hang("worker", IN_A_CONDITION, null, "fork")).isEqualTo(Advice.LOCK_BEFORE_FORK);
        assertThat(hang("worker", IN_USER_CODE, null, "fork")).isEqualTo(FailureReason.TIMED_OUT.advice());
        assertThat(hang("worker", "", null, "fork")).isEqualTo(FailureReason.TIMED_OUT.advice());
    }

    @Test
    void wordsCountOnlyWithTheTypeThatGoesWithThem() {
        String words = "daemonic processes are not allowed to have children";

        assertThat(error(FailureReason.DATASET_ERROR, null, "AssertionError", words, ""))
                .isEqualTo(Advice.DAEMONIC);
        assertThat(error(FailureReason.DATASET_ERROR, null, "ValueError", words, words))
                .isEqualTo(FailureReason.DATASET_ERROR.advice());
        assertThat(error(FailureReason.WORKER_CRASHED, null, null, null, words)).isEqualTo(Advice.MAIN_GUARD);
    }

    @Test
    void aSignalSaysMoreThanTheLog() {
        String log = "daemonic processes are not allowed to have children";

        assertThat(error(FailureReason.WORKER_CRASHED, "SIGSEGV", null, null, log))
                .isEqualTo(Advice.HANDLE_BEFORE_FORK);
        assertThat(error(FailureReason.WORKER_CRASHED, "SIGKILL", null, null, log))
                .isEqualTo(Advice.KILLED);
        assertThat(error(FailureReason.WORKER_CRASHED, "SIGTERM", null, null, log))
                .isEqualTo(FailureReason.WORKER_CRASHED.advice());
    }

    private static String hang(String role, String stack, @Nullable String sleepsIn, String startMethod) {
        return Advice.onHang(List.of(new ProcessStack(1, role, stack, sleepsIn)), startMethod);
    }

    private static String error(
            FailureReason reason,
            @Nullable String signal,
            @Nullable String exception,
            @Nullable String traceback,
            String log) {
        return Advice.onError(reason, signal, exception, traceback, log);
    }
}
