package io.loadertuner.core.study;

import static io.loadertuner.core.study.Settings.config;
import static io.loadertuner.core.study.Settings.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Recommendation.Kind;
import io.loadertuner.core.study.SearchState.Next;
import io.loadertuner.core.study.SimulatedMachine.SimulatedStudy;
import io.loadertuner.core.study.sampler.SamplerKind;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the tuner recommends on modelled machines whose truth is known, whichever sampler searches. */
class SampledSearchTest {

    @ParameterizedTest
    @EnumSource(SamplerKind.class)
    void a_threefold_difference_is_found(SamplerKind kind) {
        SimulatedMachine waiting =
                SimulatedMachine.whoseLoaderDelivers(config -> config.numWorkers() >= 6 ? 3_000 : 1_000);

        List<SimulatedStudy> studies =
                run(30, seed -> waiting.run(settings().baseline(config(1)).seed(seed), kind.create(), seed));

        assertThat(studies).allSatisfy(study -> {
            assertThat(recommended(study).kind()).isEqualTo(Kind.FASTER);
            assertThat(recommended(study).config().numWorkers()).isGreaterThanOrEqualTo(6);
            assertThat(Objects.requireNonNull(recommended(study).speedup()).ratio())
                    .isBetween(2.4, 3.75);
        });
    }

    @ParameterizedTest
    @EnumSource(SamplerKind.class)
    void what_was_seen_to_be_far_the_best_is_not_lost_where_time_is_short(SamplerKind kind) {
        // Each worker makes 1.6 times the rate, so whoever is recommended in place of a better one that was seen is
        // known by it.
        ToDoubleFunction<LoaderConfig> truth = config -> 100 * Math.pow(1.6, Math.min(3, config.numWorkers()));
        SimulatedMachine growing = SimulatedMachine.whoseLoaderDelivers(truth);

        // So many budgets that in some of them time runs out in the middle of the race.
        for (int seconds = 15; seconds <= 45; seconds++) {
            int budget = seconds;
            List<SimulatedStudy> studies = run(
                    6,
                    seed -> growing.run(
                            settings()
                                    .workers(List.of(0, 1, 2, 3))
                                    .batches(8)
                                    .baseline(config(0, 8))
                                    .budget(budget, 60)
                                    .seed(seed),
                            kind.create(),
                            seed));

            assertThat(studies).allSatisfy(study -> {
                double best = study.working().stream().mapToDouble(truth).max().orElseThrow();
                if (recommended(study).kind() == Kind.FASTER) {
                    assertThat(truth.applyAsDouble(recommended(study).config())).isGreaterThan(0.7 * best);
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource(SamplerKind.class)
    void where_nothing_differs_the_baseline_is_kept(SamplerKind kind) {
        SimulatedMachine allAlike = SimulatedMachine.whoseLoaderDelivers(config -> 1_000);

        List<SimulatedStudy> studies = run(
                60,
                seed -> allAlike.run(
                        settings().baseline(config(4)).batches(32, 64).seed(seed), kind.create(), seed));

        // It is left in about 2 % of studies: of 60, in more than four with a probability of 1 %.
        assertThat(studies.stream().filter(study -> recommended(study).kind() == Kind.KEPT))
                .hasSizeGreaterThanOrEqualTo(56);
    }

    @ParameterizedTest
    @EnumSource(SamplerKind.class)
    void a_step_that_is_the_bottleneck_is_not_fed_with_more(SamplerKind kind) {
        SimulatedMachine stepBound = SimulatedMachine.whoseLoaderDelivers(
                        config -> 3_000 * Math.max(1, config.numWorkers()))
                .withStepTakingIn(1_000);

        List<SimulatedStudy> studies = run(
                30,
                seed -> stepBound.run(
                        settings()
                                .baseline(config(4))
                                .step(stepBound.stepRate())
                                .seed(seed),
                        kind.create(),
                        seed));

        assertThat(studies)
                .allSatisfy(study ->
                        assertThat(recommended(study).config().numWorkers()).isBetween(1, 4));
        assertThat(studies.stream().filter(study -> recommended(study).kind() == Kind.CHEAPER))
                .hasSizeGreaterThan(25);
    }

    @ParameterizedTest
    @EnumSource(SamplerKind.class)
    void it_keeps_to_its_budget_of_time_and_trials(SamplerKind kind) {
        SimulatedMachine waiting =
                SimulatedMachine.whoseLoaderDelivers(config -> 200 * Math.max(1, config.numWorkers()));

        assertThat(run(20, seed -> waiting.run(settings().budget(120, 12).seed(seed), kind.create(), seed)))
                .allSatisfy(study -> {
                    assertThat(study.lastRoundBegan()).isLessThanOrEqualTo(120);
                    assertThat(study.asks().stream().map(Ask::config).distinct().count())
                            .isLessThanOrEqualTo(12);
                    assertThat(recommended(study).kind()).isEqualTo(Kind.FASTER);
                });
    }

    @ParameterizedTest
    @EnumSource(SamplerKind.class)
    void failures_are_worked_around(SamplerKind kind) {
        SimulatedMachine fragile = SimulatedMachine.whoseLoaderDelivers(
                        config -> 300 * Math.max(1, config.numWorkers()))
                .failingAt(ask -> ask.config().numWorkers() > 4);

        assertThat(run(20, seed -> fragile.run(settings().seed(seed), kind.create(), seed)))
                .allSatisfy(study -> {
                    assertThat(recommended(study).kind()).isEqualTo(Kind.FASTER);
                    assertThat(recommended(study).config().numWorkers()).isBetween(2, 4);
                });
    }

    @ParameterizedTest
    @EnumSource(SamplerKind.class)
    void where_everything_fails_there_is_no_answer(SamplerKind kind) {
        SimulatedMachine broken =
                SimulatedMachine.whoseLoaderDelivers(config -> 1_000).failingAt(ask -> true);

        SimulatedStudy study = broken.run(settings().prefetch(2).seed(1), kind.create(), 1);

        assertThat(study.recommendation()).isNull();
        assertThat(study.asks()).extracting(Ask::config).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(SamplerKind.class)
    void after_a_restart_at_any_moment_it_goes_on_where_it_was(SamplerKind kind) {
        SimulatedMachine waiting =
                SimulatedMachine.whoseLoaderDelivers(config -> 200 * Math.max(1, config.numWorkers()));
        SimulatedStudy study = waiting.run(settings().budget(90, 20).seed(3), kind.create(), 3);

        for (int length = 0; length < study.history().size(); length++) {
            SearchState state = new GuardedSearch(study.settings(), kind.create())
                    .after(study.history().subList(0, length));

            assertThat(state.next())
                    .isEqualTo(new Next.Measure(study.history().get(length).ask()));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = SamplerKind.class,
            names = {"RANDOM", "GRID", "GENETIC"})
    void the_baseline_is_known_and_not_looked_at_again(SamplerKind kind) {
        SimulatedMachine allAlike = SimulatedMachine.whoseLoaderDelivers(config -> 1_000);

        SimulatedStudy study = allAlike.run(settings().baseline(config(4)).seed(1), kind.create(), 1);

        List<Ask> looks =
                study.asks().stream().filter(ask -> ask.phase() == Phase.SEARCH).toList();
        assertThat(looks).isNotEmpty().doesNotHaveDuplicates();
        assertThat(looks).extracting(Ask::config).doesNotContain(config(4));
        assertThat(study.end().explanation())
                .extracting(Explanation::text)
                .anyMatch(text -> text.startsWith("search: ") && text.contains("raced: "));
    }

    @Test
    void the_race_is_among_the_fastest_and_keeps_its_time() {
        SimulatedMachine waiting = SimulatedMachine.whoseLoaderDelivers(
                        config -> 1_000 * Math.max(1, config.numWorkers()))
                .withNoise(0.02, 0.02);

        SimulatedStudy study = waiting.run(settings().budget(60, 60).seed(1), SamplerKind.GRID.create(), 1);

        Set<LoaderConfig> raced = study.asks().stream()
                .filter(ask -> ask.phase() == Phase.RACE)
                .map(Ask::config)
                .collect(Collectors.toSet());
        assertThat(raced).isNotEmpty().allMatch(config -> config.numWorkers() >= 3);
    }

    @Test
    void where_no_time_is_left_for_another_round_few_are_proposed_in_vain() {
        List<Integer> upTo200 = IntStream.rangeClosed(0, 200).boxed().toList();
        SimulatedMachine slow = SimulatedMachine.whoseLoaderDelivers(config -> 20);

        SimulatedStudy study =
                slow.run(settings().workers(upTo200).budget(30, 60).seed(1), SamplerKind.RANDOM.create(), 1);

        assertThat(study.end().skipped()).hasSizeLessThanOrEqualTo(20);
        assertThat(recommended(study).config()).isNotNull();
    }

    @Test
    void a_sampler_that_asks_in_a_phase_of_the_guard_is_refused() {
        Sampler confused = view -> new Proposal.Measure(new Ask(config(2), Phase.CONFIRM, 1));

        assertThatIllegalStateException()
                .isThrownBy(() -> SimulatedMachine.whoseLoaderDelivers(config -> 1_000)
                        .run(settings().seed(1), confused, 1))
                .withMessageContaining("2 workers")
                .withMessageContaining("CONFIRM");
    }

    @Test
    void a_sampler_that_insists_on_what_was_passed_over_is_refused() {
        Sampler stubborn = view -> new Proposal.Measure(Ask.first(config(2)));

        assertThatIllegalStateException()
                .isThrownBy(() -> SimulatedMachine.whoseLoaderDelivers(config -> 1_000)
                        .run(settings().infeasible(config -> Optional.of("no")).seed(1), stubborn, 1))
                .withMessageContaining("which was passed over");
    }

    @Test
    void a_sampler_may_look_at_a_config_again() {
        Sampler twice = view -> {
            long looks = view.told().stream()
                    .filter(told -> told.ask().phase() == Phase.SEARCH)
                    .count();
            return looks < 3 ? new Proposal.Measure(Ask.repeat(config(8), (int) looks + 1)) : new Proposal.Exhausted();
        };
        SimulatedMachine waiting =
                SimulatedMachine.whoseLoaderDelivers(config -> 200 * Math.max(1, config.numWorkers()));

        SimulatedStudy study = waiting.run(settings().seed(1), twice, 1);

        assertThat(study.asks())
                .filteredOn(ask -> ask.phase() == Phase.SEARCH)
                .containsExactly(Ask.first(config(8)), Ask.repeat(config(8), 2), Ask.repeat(config(8), 3));
        assertThat(recommended(study).config()).isEqualTo(config(8));
    }

    private static List<SimulatedStudy> run(int seeds, LongFunction<SimulatedStudy> study) {
        return LongStream.range(0, seeds).parallel().mapToObj(study).toList();
    }

    private static Recommendation recommended(SimulatedStudy study) {
        return Objects.requireNonNull(study.recommendation());
    }
}
