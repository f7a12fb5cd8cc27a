package io.loadertuner.core.study;

import static io.loadertuner.core.study.Settings.config;
import static io.loadertuner.core.study.Settings.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.study.Conclusion.StoppedBy;
import io.loadertuner.core.study.Recommendation.Kind;
import io.loadertuner.core.study.SimulatedMachine.SimulatedStudy;
import io.loadertuner.core.study.sampler.SamplerKind;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a budget of seconds holds, whichever sampler searches. */
class StudyBudgetTest {
    private static final int SEEDS = 20;

    /** Below this, an interval is no interval. */
    private static final int ROUNDS_OF_AN_INTERVAL = 3;

    @ParameterizedTest
    @EnumSource(SamplerKind.class)
    void no_round_begins_after_the_time_is_over(SamplerKind kind) {
        List<SimulatedMachine> machines = List.of(
                waiting(200),
                // One process takes 6.4 s for a batch.
                waiting(10),
                waiting(1_000).withStepTakingIn(900),
                waiting(300).failingAt(ask -> ask.config().numWorkers() > 2),
                waiting(2_000).withOverheadSeconds(4));

        for (SimulatedMachine machine : machines) {
            for (int seconds : new int[] {10, 30, 60, 300}) {
                assertThat(run(5, machine, seconds, kind))
                        .as("%s in %d s", kind, seconds)
                        .allSatisfy(study -> assertThat(study.lastRoundBegan()).isLessThanOrEqualTo(seconds));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(SamplerKind.class)
    void a_minute_holds_the_comparison_that_a_change_rests_on(SamplerKind kind) {
        assertThat(run(SEEDS, waiting(200), 60, kind)).allSatisfy(study -> {
            Recommendation recommended = Objects.requireNonNull(study.recommendation());
            assertThat(recommended.kind()).isEqualTo(Kind.FASTER);
            assertThat(study.confirmingRounds(config(0))).isGreaterThanOrEqualTo(ROUNDS_OF_AN_INTERVAL);
            assertThat(study.confirmingRounds(recommended.config())).isGreaterThanOrEqualTo(ROUNDS_OF_AN_INTERVAL);
            assertThat(Objects.requireNonNull(recommended.speedup()).rounds())
                    .isGreaterThanOrEqualTo(ROUNDS_OF_AN_INTERVAL);
            assertThat(recommended.speedup().low()).isGreaterThan(1);
        });
    }

    /** Where nothing is to be gained, contenders are given up as soon as they cannot win any more: not for want of time. */
    @ParameterizedTest
    @EnumSource(SamplerKind.class)
    void a_minute_ends_the_comparison_that_the_baseline_stands(SamplerKind kind) {
        SimulatedMachine allAlike = SimulatedMachine.whoseLoaderDelivers(config -> 1_000);

        assertThat(run(SEEDS, allAlike, 60, kind)).allSatisfy(study -> {
            assertThat(Objects.requireNonNull(study.recommendation()).reason())
                    .doesNotContain("no time was left", "could not be measured");
            if (study.conclusion().stoppedBy() == StoppedBy.TIME) {
                assertThat(study.confirmingRounds(config(0))).isGreaterThanOrEqualTo(ROUNDS_OF_AN_INTERVAL);
            }
        });
    }

    private static SimulatedMachine waiting(double samplesPerSecond) {
        return SimulatedMachine.whoseLoaderDelivers(config -> samplesPerSecond * Math.max(1, config.numWorkers()));
    }

    private static List<SimulatedStudy> run(int seeds, SimulatedMachine machine, int seconds, SamplerKind kind) {
        return LongStream.range(0, seeds)
                .parallel()
                .mapToObj(seed -> machine.run(
                        settings().budget(seconds, 60).step(machine.stepRate()).seed(seed), kind.create(), seed))
                .toList();
    }
}
