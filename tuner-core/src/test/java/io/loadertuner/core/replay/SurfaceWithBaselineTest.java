package io.loadertuner.core.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class SurfaceWithBaselineTest {
    private static final SearchSpace SPACE =
            new SearchSpace(List.of(0, 2, 4), List.of(2, 4), List.of(false), List.of(64), true, null);
    private static final LoaderConfig OUTSIDE = LoaderConfig.of(2, 3, false, 64, true, null);
    private static final Surface RATES =
            HandMadeSurface.loaderAlone(config -> 100 * (1 + config.numWorkers()) + config.batchesInFlight());

    @Test
    void itLacksTheShareOfTheBestAndTheRestIsAsBefore() {
        Surface surface = new SurfaceWithBaseline(RATES, SPACE, OUTSIDE, 0.25);

        // The best is 4 workers with prefetch 4: 516/s.
        assertThat(surface.samplesPerSecond(OUTSIDE)).isCloseTo(0.75 * 516, within(1e-9));
        assertThat(surface.loaderAloneSamplesPerSecond(OUTSIDE)).isCloseTo(0.75 * 516, within(1e-9));
        assertThat(surface.overheadSeconds(OUTSIDE)).isEqualTo(0.5);
        for (LoaderConfig config : SPACE.configs()) {
            assertThat(surface.samplesPerSecond(config)).isEqualTo(RATES.samplesPerSecond(config));
        }
    }

    @Test
    void itVariesAsMuchAsTheNearestThatWasRecorded() {
        RecordedSurface recorded = RecordedSurface.read(
                List.of(
                        "dataset,num_workers,prefetch_factor,batch_size,samples_per_second,rounds,log_rate_deviation",
                        "a,2,2,64,500,5,0.04"),
                "a");

        Surface surface = new SurfaceWithBaseline(recorded, recorded.space(), OUTSIDE, 0.25);

        assertThat(surface.recordedNoise(OUTSIDE)).hasValue(new RecordedNoise(0.04, 5));
    }

    @Test
    void aConfigOfTheSpaceOrOneWithoutWorkersIsRefused() {
        for (LoaderConfig config : List.of(SPACE.config(2, 4, false, 64), SPACE.config(0, 2, false, 32))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new SurfaceWithBaseline(RATES, SPACE, config, 0.1))
                    .withMessageContaining("another prefetch factor");
        }
    }

    @Test
    void aShareOfOneOrMoreIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new SurfaceWithBaseline(RATES, SPACE, OUTSIDE, 1));
    }
}
