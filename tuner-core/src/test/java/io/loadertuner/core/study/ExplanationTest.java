package io.loadertuner.core.study;

import static io.loadertuner.core.study.Settings.config;
import static io.loadertuner.core.study.Settings.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.study.sampler.GridSampler;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Every decision of studies whose rates are written down. */
class ExplanationTest {

    @Test
    void a_study_tells_of_every_value_that_it_compared() {
        Settings settings = settings()
                .workers(List.of(0, 1, 2, 4))
                .prefetch(2)
                .pinning(false, true)
                .cores(4)
                .baseline(config(0));

        HandMadeStudy study = HandMadeStudy.run(
                settings.seed(1),
                new OneAtATime(),
                ask -> switch (ask.config().numWorkers()) {
                    case 0 -> 100;
                    case 1 -> 90;
                    case 2 -> 380;
                    default -> ask.config().pinMemory() ? 200 : 400;
                },
                1);

        // A single round of three and more leaves the prior: exp(±0.106066 × t(0.975, 4)) = 1.3424 either way. In the
        // confirmation, three rounds of three make eight degrees of freedom and four intervals at once:
        // exp(0.106066 × √(4 / 8) × t(0.99375, 8) × 1.0233 / √3) = 1.1527.
        assertThat(lines(study))
                .containsExactly(
                        "baseline MEASURED null → null",
                        "num_workers MOVED 0 → 4: 4.000 [2.980–5.370] of 1",
                        "num_workers DROPPED 4 → 0: 0.250 [0.186–0.336] of 1",
                        "num_workers CARRIED 4 → 2: 0.950 [0.708–1.275] of 1",
                        "num_workers DROPPED 4 → 1: 0.225 [0.168–0.302] of 1",
                        "pin_memory STAYED false → false: 0.500 [0.372–0.671] of 1",
                        "pin_memory DROPPED false → true: 0.500 [0.372–0.671] of 1",
                        "confirmation TIED 0 workers, batch 64 → 4 workers, prefetch 2, batch 64: 4.000 [3.470–4.611] of 3",
                        "recommendation RECOMMENDED 0 workers, batch 64 → 2 workers, prefetch 2, batch 64: 3.800 [3.297–4.380] of 3");
        assertThat(study.end().explanation())
                .extracting(Explanation::text)
                .containsExactly(
                        "baseline 0 workers, batch 64: 100/s in 3 rounds; five paired rounds resolve a difference of 10 % here",
                        "num_workers 0 → 4: ratio 4.00 [2.98–5.37] in 1 paired round; 0 gave 100/s, 1 gave 90/s, 2 gave 380/s, "
                                + "4 gave 400/s; not told from it and carried: 2",
                        "num_workers 0: ratio 0.25 [0.19–0.34] in 1 paired round against 4, worse: dropped",
                        "num_workers 2: ratio 0.95 [0.71–1.28] in 1 paired round against 4, cannot tell: carried",
                        "num_workers 1: ratio 0.23 [0.17–0.30] in 1 paired round against 4, worse: dropped",
                        "pin_memory stays false: true came nearest, ratio 0.50 [0.37–0.67] in 1 paired round",
                        "pin_memory true: ratio 0.50 [0.37–0.67] in 1 paired round against false, worse: dropped",
                        "confirmation: 4 workers, prefetch 2, batch 64, ratio 4.00 [3.47–4.61] in 3 paired rounds against "
                                + "0 workers, batch 64: cannot be told from the best",
                        "2 workers, prefetch 2, batch 64: ratio 3.80 [3.30–4.38] in 3 paired rounds against the baseline "
                                + "(0 workers, batch 64); the cheapest of 2 configs that cannot be told apart");
    }

    @Test
    void a_kept_baseline_and_what_was_dropped_in_the_confirmation_have_their_ratios() {
        // Four workers look faster at first and are then 20 % slower than the baseline.
        HandMadeStudy study = HandMadeStudy.run(
                settings()
                        .workers(List.of(0, 4))
                        .prefetch(2)
                        .cores(4)
                        .baseline(config(0))
                        .seed(1),
                new OneAtATime(),
                ask -> ask.config().numWorkers() == 0 ? 10_000 : ask.phase() == Phase.CONFIRM ? 8_000 : 15_000,
                1);

        // After two rounds five degrees of freedom and, of two looks, two intervals at once:
        // exp(0.106066 × √(4 / 5) × t(0.9875, 5) / √2) = 1.2364.
        assertThat(lines(study))
                .endsWith(
                        "confirmation DROPPED 0 workers, batch 64 → 4 workers, prefetch 2, batch 64: 0.800 [0.647–0.989] of 2",
                        "recommendation RECOMMENDED 0 workers, batch 64 → 0 workers, batch 64: 0.800 [0.647–0.989] of 2");
    }

    @Test
    void who_was_raced_has_its_ratio_to_the_leader() {
        HandMadeStudy study = HandMadeStudy.run(
                settings()
                        .workers(List.of(0, 2, 4, 8))
                        .prefetch(2)
                        .baseline(config(0))
                        .seed(1),
                new GridSampler(),
                ask -> switch (ask.config().numWorkers()) {
                    case 0 -> 10_000;
                    case 2 -> 12_000;
                    case 4 -> 20_000;
                    default -> 21_000;
                },
                1);

        // Two workers are dropped after the race's first round, four raced to its third: six degrees of freedom,
        // exp(0.106066 × √(4 / 6) × t(0.975, 6)) = 1.2360 for one round, exp(… × 1.0233 / √3) = 1.1334 for three.
        assertThat(lines(study))
                .filteredOn(line -> line.startsWith("search"))
                .containsExactlyInAnyOrder(
                        "search MEASURED null → 8 workers, prefetch 2, batch 64",
                        "search CARRIED 8 workers, prefetch 2, batch 64 → 4 workers, prefetch 2, batch 64: 0.952 [0.840–1.079] of 3",
                        "search DROPPED 8 workers, prefetch 2, batch 64 → 2 workers, prefetch 2, batch 64: 0.571 [0.462–0.706] of 1");
    }

    private static List<String> lines(HandMadeStudy study) {
        return study.end().explanation().stream()
                .map(step -> "%s %s %s → %s%s"
                        .formatted(
                                step.setting(),
                                step.decision(),
                                step.from(),
                                step.to(),
                                step.ratio() == null ? "" : ": " + threeDigits(step.ratio())))
                .toList();
    }

    private static String threeDigits(Ratio ratio) {
        return String.format(
                Locale.ROOT, "%.3f [%.3f–%.3f] of %d", ratio.ratio(), ratio.low(), ratio.high(), ratio.rounds());
    }
}
