package io.loadertuner.core.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import io.loadertuner.core.study.Ask;
import io.loadertuner.core.study.Budget;
import io.loadertuner.core.study.Conclusion;
import io.loadertuner.core.study.Conclusion.StoppedBy;
import io.loadertuner.core.study.CostOrder;
import io.loadertuner.core.study.Observation;
import io.loadertuner.core.study.Recommendation;
import io.loadertuner.core.study.Recommendation.Kind;
import io.loadertuner.core.study.SearchSettings;
import io.loadertuner.core.study.SearchState;
import io.loadertuner.core.study.SearchState.Next;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Five studies over rates of 50, 60, 70, 80 and 100 a second for 0 to 4 workers, each of which ends with another. */
class ReplaySummaryTest {
    private static final double[] RATES = {50, 60, 70, 80, 100};
    private static final Surface SURFACE = HandMadeSurface.loaderAlone(config -> RATES[config.numWorkers()]);
    private static final SearchSettings SETTINGS = new SearchSettings(
            new SearchSpace(List.of(0, 1, 2, 3, 4), List.of(2), List.of(false), List.of(10), true, null),
            config(2),
            2,
            OptionalDouble.empty(),
            0,
            config -> Optional.empty(),
            Budget.DEFAULT,
            1,
            List.of(),
            CostOrder.USUAL);

    private final ReplaySummary summary = ReplaySummary.of(
            "made by hand",
            IntStream.of(4, 0, 3, 1, 2).mapToObj(ReplaySummaryTest::study).toList(),
            SETTINGS,
            SURFACE);

    @Test
    void regret_is_what_the_recommended_lacks_of_the_best() {
        // 0, 20, 30, 40 and 50 %; a tenth of the way is 0.4 of the first step, nine tenths 0.6 of the last.
        assertThat(summary.regretPercent().p10()).isCloseTo(0.4 * 20, within(1e-9));
        assertThat(summary.regretPercent().median()).isCloseTo(30, within(1e-9));
        assertThat(summary.regretPercent().p90()).isCloseTo(40 + 0.6 * 10, within(1e-9));
        assertThat(summary.regretPercent().p95()).isCloseTo(40 + 0.8 * 10, within(1e-9));
    }

    @Test
    void cost_is_told_in_seconds_and_in_trials() {
        // The study that ends with w workers took 10 + w seconds and tried w + 1 configs.
        assertThat(summary.seconds().p10()).isCloseTo(10.4, within(1e-9));
        assertThat(summary.seconds().median()).isEqualTo(12);
        assertThat(summary.seconds().p90()).isCloseTo(13.6, within(1e-9));
        assertThat(summary.trials().median()).isEqualTo(3);
        assertThat(summary.trials().p95()).isCloseTo(4.8, within(1e-9));
        assertThat(summary.studies()).isEqualTo(5);
        assertThat(summary.configs()).isEqualTo(5);
    }

    @Test
    void gains_are_against_the_baseline_of_70() {
        assertThat(summary.availableGainPercent()).isCloseTo(100 * (100.0 / 70 - 1), within(1e-9));
        assertThat(summary.leftBaseline()).isCloseTo(0.8, within(1e-9));
        // Half of the gain is the geometric mean of 70 and 100: 83.7.
        assertThat(summary.halfOfGain()).isCloseTo(0.2, within(1e-9));
        assertThat(summary.worseThanBaseline()).isCloseTo(0.4, within(1e-9));
        assertThat(summary.losesOverThreePercent()).isCloseTo(0.4, within(1e-9));
    }

    private static ReplayedStudy study(int workers) {
        List<Observation> history = IntStream.rangeClosed(0, workers)
                .mapToObj(tried -> new Observation(Ask.first(config(tried)), RATES[tried], null, 1, 10 + tried))
                .toList();
        Recommendation recommendation = new Recommendation(Kind.FASTER, config(workers), null, "by hand");
        Conclusion conclusion = new Conclusion(recommendation, List.of(config(workers)), StoppedBy.SETTLED);
        return new ReplayedStudy(
                history, new SearchState(new Next.Done(conclusion), List.of(), List.of(), OptionalDouble.empty()));
    }

    private static LoaderConfig config(int workers) {
        return LoaderConfig.of(workers, 2, false, 10, true, null);
    }
}
