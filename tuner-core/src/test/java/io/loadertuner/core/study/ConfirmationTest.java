package io.loadertuner.core.study;

import static io.loadertuner.core.study.Settings.config;
import static io.loadertuner.core.study.Settings.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Conclusion.StoppedBy;
import io.loadertuner.core.study.Recommendation.Kind;
import io.loadertuner.core.study.sampler.GridSampler;
import java.util.List;
import java.util.Objects;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** What ends the last comparison, by rates that are written down: the baseline without workers against four. */
class ConfirmationTest {

    @Test
    void what_three_rounds_decide_is_settled() {
        HandMadeStudy study = confirmed(600, round -> 4);

        assertThat(study.conclusion().stoppedBy()).isEqualTo(StoppedBy.SETTLED);
        assertThat(study.asks(Phase.CONFIRM)).hasSize(2 * 3);
        assertThat(recommended(study)).isEqualTo(config(4));
    }

    @Test
    void where_nobody_is_left_to_compare_with_the_baseline_it_is_settled() {
        HandMadeStudy study = HandMadeStudy.run(
                few(600).seed(1), new OneAtATime(), ask -> ask.config().numWorkers() == 0 ? 10_000 : 1_000, 1);

        assertThat(study.conclusion().stoppedBy()).isEqualTo(StoppedBy.SETTLED);
        assertThat(study.asks(Phase.CONFIRM)).isEmpty();
        assertThat(recommended(study)).isEqualTo(config(0));
    }

    @Test
    void a_ratio_known_within_three_percent_is_precise() {
        // Without noise the prior is left: after n rounds √(4 / (3 + n)) × 0.106 × t(0.975, 3 + n) × 1.0233 / √n, which
        // is
        // 0.041 for 10 rounds and 0.028 for 15. A gain of 5 % is nothing that 10 rounds decide.
        HandMadeStudy study = confirmed(600, round -> 1.05);

        assertThat(study.conclusion().stoppedBy()).isEqualTo(StoppedBy.PRECISION);
        assertThat(study.asks(Phase.CONFIRM)).hasSize(2 * 15);
        assertThat(recommended(study)).isEqualTo(config(4));
    }

    @Test
    void after_forty_rounds_it_is_enough() {
        HandMadeStudy study = confirmed(600, ConfirmationTest::unsteady);

        assertThat(study.conclusion().stoppedBy()).isEqualTo(StoppedBy.ROUNDS);
        assertThat(study.asks(Phase.CONFIRM)).hasSize(2 * 40);
    }

    @Test
    void where_the_budget_holds_no_further_round_time_ends_it() {
        // 16 s for the first four rounds, then 8 s for each that both take part in.
        HandMadeStudy study = HandMadeStudy.run(
                few(90).seed(1), new OneAtATime(), ask -> ask.config().numWorkers() == 0 ? 10_000 : 10_400, 4);

        assertThat(study.conclusion().stoppedBy()).isEqualTo(StoppedBy.TIME);
        assertThat(study.asks(Phase.CONFIRM)).hasSizeBetween(2 * 7, 2 * 9);
    }

    @Test
    void of_configs_that_cannot_be_told_apart_the_cheapest_by_the_order_asked_for_is_recommended() {
        LoaderConfig fewWorkers = LoaderConfig.of(2, 8, false, 64, true, null);
        LoaderConfig littleMemory = config(4);
        Settings settings = settings().workers(List.of(0, 2, 4)).prefetch(2, 8).cores(4);

        assertThat(recommendedOfTwo(settings, fewWorkers, littleMemory)).isEqualTo(fewWorkers);

        settings.costOrder(CostOrder.named(List.of("host_memory")));

        assertThat(recommendedOfTwo(settings, fewWorkers, littleMemory)).isEqualTo(littleMemory);
    }

    @Test
    void beside_a_plain_gain_the_fastest_is_compared_with_the_cheapest_though_time_is_short() {
        // Five rounds of 4 s explore; of the 50 s left, three rounds of three configs take 36, five would take 60.
        HandMadeStudy study = HandMadeStudy.run(
                settings()
                        .workers(List.of(0, 2, 4))
                        .prefetch(2)
                        .cores(4)
                        .budget(70, 60)
                        .seed(1),
                new OneAtATime(),
                ask -> rateOfThree(ask, 7_500),
                4);

        assertThat(study.asks(Phase.CONFIRM)).extracting(Ask::config).contains(config(0), config(2), config(4));
        assertThat(recommended(study)).isEqualTo(config(4));
    }

    @Test
    void while_the_cheapest_seems_to_lose_there_are_more_rounds() {
        // Three rounds decide that two workers beat the baseline. They seem to lose 11 % to four, which those cannot
        // tell from
        // nothing: the logarithms are -0.27, 0.05 and -0.12.
        HandMadeStudy study = HandMadeStudy.run(
                settings()
                        .workers(List.of(0, 2, 4))
                        .prefetch(2)
                        .cores(4)
                        .budget(600, 60)
                        .seed(1),
                new OneAtATime(),
                ask -> rateOfThree(ask, ask.round() == 1 ? 7_600 : ask.round() == 2 ? 10_500 : 8_900),
                1);

        assertThat(study.asks(Phase.CONFIRM))
                .filteredOn(ask -> ask.config().equals(config(2)))
                .hasSizeGreaterThan(3);
        assertThat(study.conclusion().tieSet()).containsExactly(config(4));
        assertThat(recommended(study)).isEqualTo(config(4));
    }

    /** The baseline gives a tenth of what four workers give; two seem as good as those until it is looked at closely. */
    private static double rateOfThree(Ask ask, double ofTwoWhenConfirmed) {
        return switch (ask.config().numWorkers()) {
            case 0 -> 1_000;
            case 2 -> ask.phase() == Phase.CONFIRM ? ofTwoWhenConfirmed : 9_900;
            default -> 10_000;
        };
    }

    /** In every other round four workers are 28 % faster, else 16 % slower than 1.08 times the baseline. */
    private static double unsteady(int round) {
        return round % 2 == 0 ? 1.39 : 0.84;
    }

    private static LoaderConfig recommendedOfTwo(Settings settings, LoaderConfig one, LoaderConfig other) {
        HandMadeStudy study = HandMadeStudy.run(
                settings.seed(1),
                new GridSampler(),
                ask -> ask.config().equals(one) || ask.config().equals(other) ? 30_000 : 10_000,
                1);
        assertThat(study.conclusion().tieSet()).contains(one, other);
        assertThat(Objects.requireNonNull(study.conclusion().recommendation()).kind())
                .isEqualTo(Kind.FASTER);
        return recommended(study);
    }

    /** @param ratios what four workers give in a round of the confirmation, as a multiple of the baseline's rate */
    private static HandMadeStudy confirmed(int seconds, IntToDoubleFunction ratios) {
        return HandMadeStudy.run(
                few(seconds).seed(1),
                new OneAtATime(),
                ask -> {
                    if (ask.config().numWorkers() == 0) {
                        return 10_000;
                    }
                    return 10_000 * (ask.phase() == Phase.CONFIRM ? ratios.applyAsDouble(ask.round()) : 1.05);
                },
                1);
    }

    private static Settings few(int seconds) {
        return settings().workers(List.of(0, 4)).prefetch(2).cores(4).budget(seconds, 60);
    }

    private static LoaderConfig recommended(HandMadeStudy study) {
        return Objects.requireNonNull(study.conclusion().recommendation()).config();
    }
}
