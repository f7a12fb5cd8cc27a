package io.loadertuner.service.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.measure.Throughput;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlotTest {

    @Test
    void labelsThatWouldLieOnOneAnotherAreLeftOut() {
        List<Plot.Tick> crowded = IntStream.rangeClosed(8, 14)
                .mapToObj(value -> new Plot.Tick(10.0 * value, String.valueOf(value)))
                .toList();

        // Two of one digit need 8 between their middles and have 10; one of one and one of two need 12, two of two 16.
        assertThat(Plot.Tick.legible(crowded, label -> 8.0 * label.length()))
                .extracting(Plot.Tick::label)
                .containsExactly("8", "9", "", "11", "", "13", "");
        assertThat(Plot.Tick.legible(crowded, label -> 10)).isEqualTo(crowded);
    }

    @Test
    void theBaselineLiesWithinThePlotWhateverTrialsAreShown() {
        Plot plot = new StudyPlots(List.of(), new Throughput(2000, 1900.0, 2100.0, 3)).bestSoFar();

        // From 0 at 254 to 2,160 at 14, so 2,000 at 254 - 240 / 1.08.
        assertThat(plot.lines()).contains(new Plot.Line("M62 31.8L622 31.8", "baseline"));
    }
}
