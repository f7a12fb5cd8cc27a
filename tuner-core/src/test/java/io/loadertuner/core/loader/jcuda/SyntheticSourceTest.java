package io.loadertuner.core.loader.jcuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loadertuner.core.space.InvalidFieldException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SyntheticSourceTest {

    @Test
    void samplesAreFilledWithTheirIndex() throws IOException {
        SyntheticSource source = SyntheticSource.of(100, List.of(2, 3), Duration.ZERO, Duration.ZERO);
        ByteBuffer into = ByteBuffer.allocateDirect(40).order(ByteOrder.nativeOrder());

        assertThat(source.read(7, 1, into, 8)).isZero();

        assertThat(source.sampleBytes()).isEqualTo(24);
        assertThat(source.shape()).containsExactly(2, 3);
        for (int value = 0; value < 6; value++) {
            assertThat(into.getFloat(8 + 4 * value)).isEqualTo(7f);
        }
        assertThat(into.getLong(0)).isZero();
        assertThat(into.getLong(32)).isZero();
    }

    @Test
    void whatIsWaitedForPassesAndWhatIsBurntIsTheThreadsOwn() throws IOException {
        SyntheticSource source = SyntheticSource.of(1, List.of(1), Duration.ofMillis(30), Duration.ofMillis(20));
        long begun = System.nanoTime();
        long processor = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();

        source.read(0, 1, ByteBuffer.allocate(4), 0);

        assertThat(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - processor)
                .isGreaterThanOrEqualTo(20_000_000);
        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(50_000_000);
    }

    @Test
    void whoeverIsInterruptedDoesNotSleepOn() throws IOException {
        SyntheticSource source = SyntheticSource.of(1, List.of(1), Duration.ofDays(1), Duration.ZERO);
        Thread.currentThread().interrupt();

        source.read(0, 1, ByteBuffer.allocate(4), 0);

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThatThrownBy(() -> SyntheticSource.of(-1, List.of(1), Duration.ZERO, Duration.ZERO))
                .isInstanceOf(InvalidFieldException.class)
                .hasMessageContaining("samples");
        assertThatThrownBy(() -> SyntheticSource.of(1, List.of(3, 0), Duration.ZERO, Duration.ZERO))
                .hasMessageContaining("shape");
        // 2^15 squared are 2^30 values of four bytes.
        assertThatThrownBy(() -> SyntheticSource.of(1, List.of(1 << 15, 1 << 15), Duration.ZERO, Duration.ZERO))
                .hasMessageContaining("2 GiB");
        assertThatThrownBy(() -> SyntheticSource.of(1, List.of(1), Duration.ofMillis(-1), Duration.ZERO))
                .hasMessageContaining("sample_milliseconds");
        assertThatThrownBy(() -> SyntheticSource.of(1, List.of(1), Duration.ZERO, Duration.ofMillis(-1)))
                .hasMessageContaining("cpu_milliseconds");
    }
}
