package io.loadertuner.service.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
    @Test
    void whatIsPackedIsUnpacked() {
        List<List<Long>> cases = List.of(
                List.of(), List.of(0L), List.of(7L, 7L, 7L), List.of(127L, 255L, 16_511L), List.of(Long.MAX_VALUE));

        for (List<Long> micros : cases) {
            assertThat(Arrivals.unpack(Arrivals.pack(micros))).isEqualTo(micros);
        }
    }

    @Test
    void aBatchTakesAFewBytes() {
        Random random = new Random(1);
        List<Long> micros = new ArrayList<>();
        long now = 310_000;
        for (int batch = 0; batch < 10_000; batch++) {
            now += 20_000 + random.nextInt(5_000);
            micros.add(now);
        }

        byte[] packed = Arrivals.pack(micros);

        assertThat(packed.length).isLessThan(3 * micros.size());
        assertThat(Arrivals.unpack(packed)).isEqualTo(micros);
    }

    @Test
    void timesThatRunBackwardsAreRefused() {
        assertThatThrownBy(() -> Arrivals.pack(List.of(5L, 4L))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Arrivals.pack(List.of(-1L))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsDamagedIsRefused() {
        byte[] packed = Arrivals.pack(List.of(1L, 2L, 3L));

        assertThatThrownBy(() -> Arrivals.unpack(Arrays.copyOf(packed, packed.length / 2)))
                .isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> Arrivals.unpack(new byte[] {1, 2, 3})).isInstanceOf(UncheckedIOException.class);
    }
}
