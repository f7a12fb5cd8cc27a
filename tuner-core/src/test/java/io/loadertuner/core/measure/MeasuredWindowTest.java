package io.loadertuner.core.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class MeasuredWindowTest {
    /** Two workers whose batches arrive in pairs: one after 10 ms, the next after 190 ms. */
    private static final List<Long> CLUMPED = List.of(0L, 10_000L, 200_000L, 210_000L, 400_000L, 410_000L, 600_000L);

    @Test
    void its_rate_counts_what_arrived_after_it_opened_until_it_closed() {
        MeasuredWindow window = clumped(0, 4);

        assertThat(window.seconds()).isCloseTo(0.4, within(1e-12));
        assertThat(window.samplesPerSecond()).isCloseTo(320, within(1e-9));
    }

    @Test
    void it_is_aligned_when_it_holds_whole_cycles() {
        MeasuredWindow fourBatches = clumped(1, 5);
        MeasuredWindow threeBatches = clumped(1, 4);

        assertThat(fourBatches.isAlignedTo(1)).isTrue();
        assertThat(fourBatches.isAlignedTo(2)).isTrue();
        assertThat(fourBatches.isAlignedTo(4)).isTrue();
        assertThat(fourBatches.isAlignedTo(3)).isFalse();
        assertThat(threeBatches.isAlignedTo(2)).isFalse();
    }

    @Test
    void aligned_windows_of_clumped_batches_agree_wherever_they_begin() {
        double fromFirstOfPair = clumped(0, 4).samplesPerSecond();
        double fromSecondOfPair = clumped(1, 5).samplesPerSecond();
        double unaligned = clumped(1, 4).samplesPerSecond();

        assertThat(fromFirstOfPair).isEqualTo(fromSecondOfPair);
        // 96 samples in 390 ms: far from 320/s.
        assertThat(unaligned).isCloseTo(246.15, within(0.01));
    }

    @Test
    void a_window_without_a_rate_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new MeasuredWindow(-1, 2, 64, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new MeasuredWindow(2, 2, 64, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new MeasuredWindow(3, 2, 64, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new MeasuredWindow(0, 2, 0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new MeasuredWindow(0, 1, 64, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new MeasuredWindow(0, 1, 64, Double.NaN));
    }

    private static MeasuredWindow clumped(int first, int last) {
        return new WindowEdges(first, last).over(CLUMPED, 32L * (last - first));
    }
}
