package io.loadertuner.service.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AxisTest {

    @Test
    void valuesLieInProportion() {
        Axis upwards = new Axis(0, 200, 110, 10);

        assertThat(upwards.at(0)).isEqualTo(110);
        assertThat(upwards.at(200)).isEqualTo(10);
        assertThat(upwards.at(50)).isEqualTo(85);
    }

    @Test
    void ticksAreRoundValuesWithinTheAxis() {
        assertThat(new Axis(0, 1620, 0, 1620).ticks(4, Words::number))
                .extracting(Plot.Tick::label)
                .containsExactly("0", "500", "1,000", "1,500");
        assertThat(new Axis(0, 0.9, 0, 90).ticks(5, Words::number))
                .extracting(tick -> Math.round(1e6 * tick.at()))
                .containsExactly(0L, 20_000_000L, 40_000_000L, 60_000_000L, 80_000_000L);
    }

    @Test
    void whereNothingWasMeasuredThereIsAnAxisAllTheSame() {
        assertThat(Axis.fromZero(0, 0, 100).at(0)).isZero();
    }
}
