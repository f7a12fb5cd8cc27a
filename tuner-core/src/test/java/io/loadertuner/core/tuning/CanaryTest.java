package io.loadertuner.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.dataset.Source;
import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.machine.Gpu;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.space.LoaderConfig;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CanaryTest {
    private static final LoaderConfig INCUMBENT = LoaderConfig.of(2, 2, false, 32, true, null);
    private static final LoaderConfig BASELINE = LoaderConfig.of(0, 2, false, 32, true, null);

    private final CalculatedLoader loader = new CalculatedLoader(config -> 1000 * (1 + config.numWorkers()));

    private Canary canary(LoaderConfig baseline, double seconds) throws Exception {
        Machine machine = new Machine("host", "cpu", 2, null, 1L << 34, 1L << 33, 1L << 33, List.of());
        StudyRequest request = new StudyRequest(
                "photos",
                null,
                null,
                new Source.Synthetic(1000, List.of(3), 0, 0, 0),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
        return new Tuner(loader, () -> machine, loader).canary("id", request, INCUMBENT, baseline, seconds);
    }

    @Test
    void bothAreMeasuredInTurnsOfFirstAndSecond() throws Exception {
        Canary canary = canary(BASELINE, 0);

        assertThat(loader.measured).containsExactly(INCUMBENT, BASELINE, BASELINE, INCUMBENT, INCUMBENT, BASELINE);
        assertThat(canary.visit().orElseThrow().incumbent()).isEqualTo(3000, within(1e-6));
        assertThat(Objects.requireNonNull(canary.baseline()).samplesPerSecond()).isEqualTo(1000, within(1e-6));
        assertThat(canary.rounds()).isEqualTo(6);
        assertThat(loader.openSessions).isZero();
    }

    /** The session opens in 3 s, a round takes 2: after 8 rounds 19 s are over. */
    @Test
    void itGoesOnUntilItsTimeIsOver() throws Exception {
        assertThat(canary(BASELINE, 18).rounds()).isEqualTo(8);
    }

    @Test
    void aBaselineThatIsInUseIsMeasuredOnce() throws Exception {
        Canary canary = canary(INCUMBENT, 0);

        assertThat(loader.measured).containsExactly(INCUMBENT, INCUMBENT, INCUMBENT);
        assertThat(canary.baseline()).isNull();
    }

    @Test
    void aBaselineThatFailsIsLeftOut() throws Exception {
        loader.failures.put(BASELINE, TrialFailure.of(FailureReason.TIMED_OUT, "hangs"));

        Canary canary = canary(BASELINE, 0);

        assertThat(canary.baseline()).isNull();
        assertThat(canary.rounds()).isEqualTo(3);
    }

    @Test
    void aConfigInUseThatFailsIsToldByItsFailure() throws Exception {
        TrialFailure died = TrialFailure.of(FailureReason.WORKER_CRASHED, "died");
        loader.failures.put(INCUMBENT, died);

        Canary canary = canary(BASELINE, 0);

        assertThat(canary.failure()).isEqualTo(died);
        assertThat(canary.visit()).isEmpty();
        assertThat(loader.openSessions).isZero();
    }

    @Test
    void aDatasetThatCannotBeReadIsNoCanary() {
        loader.failureOfCheck = TrialFailure.of(FailureReason.DATASET_ERROR, "gone");

        assertThatThrownBy(() -> canary(BASELINE, 0)).isInstanceOf(TrialFailedException.class);
    }

    @Test
    void aNewPyTorchIsToldAndWhatIsNotKnownIsNot() throws Exception {
        Canary then = canary(BASELINE, 0);
        loader.gpu = new Gpu("NVIDIA H200", 1L << 37, null, "570.1");
        Canary onAGpu = canary(BASELINE, 0);
        loader.gpu = new Gpu("NVIDIA H200", 1L << 37, null, "580.2");
        loader.device = "cuda:0";

        assertThat(canary(BASELINE, 0).changesSince(then.facts())).containsExactly("the device was cpu and is cuda:0");
        assertThat(canary(BASELINE, 0).changesSince(onAGpu.facts()))
                .containsExactly("the device was cpu and is cuda:0", "the GPU's driver was 570.1 and is 580.2");
        assertThat(then.changesSince(then.facts())).isEmpty();
    }
}
