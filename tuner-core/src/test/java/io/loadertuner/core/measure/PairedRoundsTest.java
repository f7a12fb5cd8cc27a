package io.loadertuner.core.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PairedRoundsTest {
    private static final double MARGIN = 0.03;
    private final PairedRounds<String> rounds = new PairedRounds<>();

    @Test
    void drift_that_a_round_shares_cancels() {
        // The machine is twice as fast in one round as in another; b is always exactly twice a.
        for (double mood : List.of(1.0, 0.5, 1.7)) {
            add("r" + mood, 100 * mood, 200 * mood);
        }

        Ratio ratio = rounds.ratio("b", "a").orElseThrow();

        // No noise is left, so the prior speaks: a deviation of √(4 × 0.01125 / 6) = 0.0866025; t(0.975, 6) = 2.446912,
        // and √(π/3)
        // for the Hodges–Lehmann estimator.
        assertThat(ratio.ratio()).isCloseTo(2, within(1e-9));
        assertThat(ratio.low()).isCloseTo(2 * 0.8823209, within(1e-5));
        assertThat(ratio.high()).isCloseTo(2 * 1.1333746, within(1e-5));
        assertThat(ratio.rounds()).isEqualTo(3);
        assertThat(ratio.verdict()).isEqualTo(Verdict.BETTER);
    }

    @Test
    void the_other_way_round_it_is_the_inverse() {
        add("r1", 100, 150);
        add("r2", 100, 130);
        add("r3", 100, 170);

        Ratio forth = rounds.ratio("b", "a").orElseThrow();
        Ratio back = rounds.ratio("a", "b").orElseThrow();

        assertThat(back.ratio()).isCloseTo(1 / forth.ratio(), within(1e-9));
        assertThat(back.low()).isCloseTo(1 / forth.high(), within(1e-9));
        assertThat(back.high()).isCloseTo(1 / forth.low(), within(1e-9));
        assertThat(back.verdict()).isEqualTo(Verdict.WORSE);
    }

    @Test
    void few_rounds_prove_only_large_differences() {
        add("r1", 100, 100);

        // t(0.975, 4) = 2.776445 × 0.1060660.
        assertThat(rounds.ratio("b", "a").orElseThrow().high()).isCloseTo(1.3424368, within(1e-5));

        add("r2", 100, 100);

        // t(0.975, 5) = 2.570582 × √(0.045 / 5) / √2: of two values the middle is the mean.
        assertThat(rounds.ratio("b", "a").orElseThrow().high()).isCloseTo(1.1882004, within(1e-5));

        add("r3", 100, 100);
        add("r4", 100, 100);
        add("r5", 100, 100);

        // t(0.975, 8) = 2.306004 × √(π/3) × √(0.045 / 8) / √5.
        assertThat(rounds.ratio("b", "a").orElseThrow().high()).isCloseTo(1.0823666, within(1e-5));
    }

    @Test
    void the_noise_of_all_contenders_is_pooled() {
        add("r1", 100, 120, 50);
        add("r2", 200, 200, 120);
        add("r3", 100, 110, 55);

        Ratio ratio = rounds.ratio("b", "a").orElseThrow();

        // log(1.2, 1, 1.1) and log(0.5, 0.6, 0.55): deviation 0.0989091 with 4 + 2 + 2 degrees; t(0.975, 8) = 2.306004.
        // Of the six pairs of log(1.2, 1, 1.1) the middle two are 1.1 with 1.1 and 1.2 with 1.
        assertThat(ratio.ratio()).isCloseTo(Math.sqrt(1.1 * Math.sqrt(1.2)), within(1e-9));
        assertThat(ratio.low()).isCloseTo(0.9593291, within(1e-5));
        assertThat(ratio.high()).isCloseTo(1.2560754, within(1e-5));
        assertThat(ratio.verdict()).isEqualTo(Verdict.CANNOT_TELL);
    }

    @Test
    void only_rounds_that_both_took_part_in_count() {
        rounds.add("r1", "a", 100);
        rounds.add("r2", "a", 100);
        rounds.add("r2", "b", 300);
        rounds.add("r3", "b", 900);

        assertThat(rounds.ratio("b", "a").orElseThrow().rounds()).isEqualTo(1);
        assertThat(rounds.middleRatio("b", "a").orElseThrow()).isCloseTo(3, within(1e-9));
        assertThat(rounds.rounds("b")).isEqualTo(2);
    }

    @Test
    void who_shares_no_round_is_not_compared() {
        rounds.add("r1", "a", 100);
        rounds.add("r2", "b", 100);

        assertThat(rounds.ratio("a", "b")).isEmpty();
        assertThat(rounds.range("a", "b")).isEmpty();
        assertThat(rounds.middleRatio("a", "b")).isEmpty();
        assertThat(rounds.hasFallenBehind("a", "b", MARGIN)).isFalse();
        assertThat(rounds.ratio("a", "stranger")).isEmpty();
        assertThat(rounds.rounds("stranger")).isZero();
        assertThat(rounds.contenders()).containsExactly("a", "b");
    }

    @Test
    void a_range_reaches_from_the_least_round_to_the_greatest() {
        add("r1", 100, 99);
        add("r2", 100, 103);
        add("r3", 100, 98);
        add("r4", 100, 101);
        add("r5", 100, 100);

        Optional<Ratio> range = rounds.range("b", "a");

        assertThat(range).hasValueSatisfying(found -> {
            assertThat(found.ratio()).isCloseTo(1.00, within(1e-9));
            assertThat(found.low()).isCloseTo(0.98, within(1e-9));
            assertThat(found.high()).isCloseTo(1.03, within(1e-9));
            assertThat(found.rounds()).isEqualTo(5);
        });
    }

    @Test
    void intervals_that_hold_at_once_are_wider_the_more_there_are() {
        for (int round = 1; round <= 5; round++) {
            add("r" + round, 100, 107, 100);
        }

        // Deviation √(4 × 0.01125 / 12) = 0.0612372; t(0.975, 12) = 2.178813, t(0.9875, 12) = 2.560033.
        Ratio alone = rounds.ratio("b", "a").orElseThrow();
        Ratio amongTwo = rounds.ratioAmongAll("b", "a", 1).orElseThrow();

        assertThat(Math.log(alone.high() / alone.ratio())).isCloseTo(0.0610611, within(1e-6));
        assertThat(Math.log(amongTwo.high() / amongTwo.ratio())).isCloseTo(0.0717448, within(1e-6));
        // log 1.07 = 0.0676586 lies between the two.
        assertThat(alone.verdict()).isEqualTo(Verdict.BETTER);
        assertThat(amongTwo.verdict()).isEqualTo(Verdict.CANNOT_TELL);
    }

    @Test
    void between_two_both_intervals_are_the_same() {
        add("r1", 100, 111);
        add("r2", 100, 108);

        assertThat(rounds.ratioAmongAll("b", "a", 1)).isEqualTo(rounds.ratio("b", "a"));
    }

    @Test
    void a_contender_has_fallen_behind_when_its_deficit_is_beyond_the_bound() {
        // Five rounds without noise: t(0.95, 8) = 1.859548 × √(π/3) × 0.075 / √5 = 0.0638261.
        assertThat(fallenBehindAfterFiveRoundsWithADeficitOf(0.0639, MARGIN)).isTrue();
        assertThat(fallenBehindAfterFiveRoundsWithADeficitOf(0.0637, MARGIN)).isFalse();
    }

    @Test
    void a_contender_has_not_fallen_behind_within_the_margin_however_sure_it_is() {
        assertThat(fallenBehindAfterFiveRoundsWithADeficitOf(0.19, 0.2)).isFalse();
        assertThat(fallenBehindAfterFiveRoundsWithADeficitOf(0.21, 0.2)).isTrue();
        assertThat(fallenBehindAfterFiveRoundsWithADeficitOf(-0.5, MARGIN)).isFalse();
    }

    @Test
    void bounds_of_deficits_hold_at_once_too() {
        for (int round = 1; round <= 5; round++) {
            add("r" + round, 100, 100 * Math.exp(-0.0600), 100);
        }

        // t(0.975, 12) = 2.178813 for two bounds: 0.0610611. A single one, t(0.95, 12) = 1.782288, would be 0.0499485.
        assertThat(rounds.hasFallenBehind("b", "a", MARGIN)).isFalse();
    }

    private static boolean fallenBehindAfterFiveRoundsWithADeficitOf(double logDeficit, double margin) {
        PairedRounds<String> five = new PairedRounds<>();
        for (int round = 1; round <= 5; round++) {
            five.add("r" + round, "best", 100 * round);
            five.add("r" + round, "other", 100 * round * Math.exp(-logDeficit));
        }
        return five.hasFallenBehind("other", "best", margin);
    }

    @Test
    void without_anyone_nobody_leads() {
        assertThat(rounds.leader()).isEmpty();
    }

    @Test
    void who_is_ahead_by_the_median_of_shared_rounds_leads() {
        add("r1", 100, 90);
        add("r2", 100, 120);
        add("r3", 100, 110);

        // Ratios of b to a: 0.9, 1.2, 1.1.
        assertThat(rounds.leader()).contains("b");

        add("r4", 100, 50);
        add("r5", 100, 60);

        assertThat(rounds.leader()).contains("a");
    }

    @Test
    void who_left_early_does_not_lead_however_far_ahead() {
        rounds.add("r1", "early", 500);
        add("r1", 100, 90);
        add("r2", 100, 90);

        assertThat(rounds.leader()).contains("a");
    }

    @Test
    void drift_does_not_decide_who_leads() {
        // c took part as often, but while the machine was twice as fast; it shares no round with the others.
        add("r1", 100, 110);
        rounds.add("r2", "c", 210);

        assertThat(rounds.leader()).contains("b");
    }

    private void add(String round, double a, double b) {
        rounds.add(round, "a", a);
        rounds.add(round, "b", b);
    }

    private void add(String round, double a, double b, double c) {
        add(round, a, b);
        rounds.add(round, "c", c);
    }
}
