package io.loadertuner.core.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MovementTest {

    /** Four degrees of freedom at 13 %: t(1 - 0.025/3; 4) = 3.96 from a table, times 0.13 and the root of 2. */
    @Test
    void afterOneVisitOnlyThePriorSaysWhatNoiseIs() {
        Movement movement = Movement.of(List.of(new Visit(1000, null)), new Visit(500, null));

        assertThat(movement.incumbent().ratio()).isEqualTo(0.5, within(1e-12));
        assertThat(Math.log(movement.incumbent().high() / 0.5)).isEqualTo(3.9608 * 0.13 * Math.sqrt(2), within(1e-3));
        assertThat(movement.incumbent().rounds()).isEqualTo(1);
        assertThat(movement.baseline()).isNull();
        assertThat(movement.speedup()).isNull();
        assertThat(movement.goesBeyondNoise()).isFalse();
    }

    @Test
    void aThirdOfTheRateIsBeyondNoiseInEitherDirection() {
        List<Visit> earlier = List.of(new Visit(900, 300.0));

        assertThat(Movement.of(earlier, new Visit(300, 100.0)).goesBeyondNoise())
                .isTrue();
        assertThat(Movement.of(earlier, new Visit(2700, 900.0)).goesBeyondNoise())
                .isTrue();
        assertThat(Movement.of(earlier, new Visit(900, 300.0)).goesBeyondNoise())
                .isFalse();
    }

    @Test
    void whatTheTwoHaveInCommonDoesNotMoveTheirRatio() {
        List<Visit> earlier = List.of(new Visit(900, 300.0));

        Movement shared = Movement.of(earlier, new Visit(600, 200.0));
        Movement alone = Movement.of(earlier, new Visit(450, 300.0));

        assertThat(Objects.requireNonNull(shared.speedup()).ratio()).isEqualTo(1, within(1e-12));
        assertThat(shared.goesBeyondNoise()).isFalse();
        assertThat(Objects.requireNonNull(alone.speedup()).ratio()).isEqualTo(0.5, within(1e-12));
        assertThat(alone.goesBeyondNoise()).isTrue();
    }

    /** Nine equal visits: the prior's four degrees among twelve, so a deviation of 0.13 times the root of 4/12. */
    @Test
    void steadyVisitsMakeItKeener() {
        List<Visit> earlier = List.of(
                new Visit(1000, null),
                new Visit(1000, null),
                new Visit(1000, null),
                new Visit(1000, null),
                new Visit(1000, null),
                new Visit(1000, null),
                new Visit(1000, null),
                new Visit(1000, null),
                new Visit(1000, null));
        double deviation = 0.13 * Math.sqrt(4.0 / 12);

        Movement movement = Movement.of(earlier, new Visit(800, null));

        assertThat(Math.log(movement.incumbent().high() / 0.80))
                .isEqualTo(2.7795 * deviation * Math.hypot(1, Math.sqrt(Math.PI / 2) / 3), within(1e-3));
        assertThat(movement.goesBeyondNoise()).isFalse();
        assertThat(Movement.of(earlier, new Visit(790, null)).goesBeyondNoise()).isTrue();
    }

    @Test
    void ofABaselineThatWasNotMeasuredBeforeNothingIsSaid() {
        Movement movement = Movement.of(List.of(new Visit(900, null)), new Visit(900, 10.0));

        assertThat(movement.baseline()).isNull();
        assertThat(movement.speedup()).isNull();
    }

    @Test
    void aRateIsAboveZero() {
        assertThatThrownBy(() -> new Visit(0, null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Visit(1, -1.0)).isInstanceOf(IllegalArgumentException.class);
    }
}
