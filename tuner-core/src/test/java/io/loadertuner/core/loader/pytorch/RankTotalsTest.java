package io.loadertuner.core.loader.pytorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.loader.MeasuredRound;
import io.loadertuner.core.loader.RoundMeasurement;
import io.loadertuner.core.loader.Symptoms;
import io.loadertuner.core.measure.MeasuredWindow;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RankTotalsTest {
    /** 100 samples/s, 1.5 of 2 busy cores its own. */
    private static final RoundMeasurement QUICK =
            measured(0.1, 0.02, 0.2, 1000L, 1.5, 0.5, null, new MeasuredWindow(2, 12, 200, 2.0));

    /** 50 samples/s, 0.4 of 2 busy cores its own. */
    private static final RoundMeasurement SLOW =
            measured(0.3, 0.01, 0.6, 3000L, 0.4, 1.6, "it was killed", new MeasuredWindow(4, 8, 200, 4.0));

    @Test
    void ratesAndCostsAreSumsAndWhatIsWaitedForIsThatOfTheSlowest() {
        MeasuredRound round = new RankTotals(List.of(part(QUICK, 10, 20, null), part(SLOW, 12, 25, 7L))).round();
        RoundMeasurement total = round.measurement();

        assertThat(total.window().samplesPerSecond()).isCloseTo(150, within(1e-9));
        assertThat(total.window().samples()).isEqualTo(400);
        assertThat(total.window().first()).isEqualTo(2);
        assertThat(total.window().last()).isEqualTo(12);
        assertThat(total.startupSeconds()).isEqualTo(0.3);
        assertThat(total.shutdownSeconds()).isEqualTo(0.02);
        assertThat(total.waitSeconds()).isCloseTo(0.4, within(1e-9));
        assertThat(total.memoryBytes()).isEqualTo(4000);
        assertThat(total.ownCores()).isCloseTo(1.9, within(1e-9));
        // Two cores were busy, 1.9 of them with the ranks.
        assertThat(total.foreignCores()).isCloseTo(0.1, within(1e-9));
        assertThat(total.warning()).isEqualTo("rank 1 of 2: it was killed");
        assertThat(total.ranks()).extracting(rank -> rank.samplesPerSecond()).containsExactly(100.0, 50.0);
        assertThat(total.ranks()).extracting(rank -> rank.batchesPerPass()).containsExactly(null, 7L);
        assertThat(round.arrivalsMicros()).containsExactly(1L, 2L);
    }

    @Test
    void whatOneRankDoesNotKnowIsNotKnown() {
        RoundMeasurement unknown = measured(0.1, null, 0.2, null, 1.5, null, null, new MeasuredWindow(2, 12, 200, 2.0));
        RoundMeasurement total = new RankTotals(List.of(part(QUICK, 10, 20, null), part(unknown, 10, 20, null)))
                .round()
                .measurement();

        assertThat(total.memoryBytes()).isNull();
        assertThat(total.shutdownSeconds()).isNull();
        assertThat(total.ownCores()).isEqualTo(3.0);
        assertThat(total.foreignCores()).isNull();
    }

    @Test
    void ranksThatWereMeasuredOneAfterTheOtherAreRefused() {
        RankTotals apart = new RankTotals(List.of(part(QUICK, 10, 20, null), part(SLOW, 20, 30, null)));

        assertThatIllegalStateException().isThrownBy(apart::round).withMessageContaining("at the same time");
    }

    private static RankRound part(RoundMeasurement measured, long opened, long closed, @Nullable Long batchesPerPass) {
        return new RankRound(new MeasuredRound(measured, List.of(1L, 2L)), opened, closed, batchesPerPass);
    }

    private static RoundMeasurement measured(
            double startup,
            @Nullable Double shutdown,
            double wait,
            @Nullable Long memory,
            @Nullable Double own,
            @Nullable Double foreign,
            @Nullable String warning,
            MeasuredWindow window) {
        return new RoundMeasurement(
                startup,
                0.1,
                shutdown,
                wait,
                memory,
                10L,
                null,
                null,
                null,
                own,
                foreign,
                "fork",
                warning,
                window,
                List.of(),
                Symptoms.NONE);
    }
}
