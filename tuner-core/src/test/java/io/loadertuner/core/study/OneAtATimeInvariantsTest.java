package io.loadertuner.core.study;

import static io.loadertuner.core.study.Settings.config;
import static io.loadertuner.core.study.Settings.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Explanation.Decision;
import io.loadertuner.core.study.Recommendation.Kind;
import io.loadertuner.core.study.SimulatedMachine.SimulatedStudy;
import io.loadertuner.core.study.sampler.SamplerKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What holds for every study: on any machine, in any space, with any budget, whatever fails. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OneAtATimeInvariantsTest {
    private static final int STUDIES = 150;
    private List<SimulatedStudy> studies = List.of();

    @BeforeAll
    void runStudiesOfEveryKind() {
        studies = LongStream.range(0, STUDIES)
                .parallel()
                .mapToObj(OneAtATimeInvariantsTest::anyStudy)
                .toList();
    }

    @Test
    void the_studies_are_of_every_kind() {
        assertThat(studies)
                .anyMatch(study -> study.recommendation() == null)
                .anyMatch(study -> study.history().size() > 50)
                .anyMatch(study -> study.history().stream().anyMatch(seen -> seen.failure() != null))
                .anyMatch(study -> !study.end().skipped().isEmpty());
        assertThat(studies.stream()
                        .map(SimulatedStudy::recommendation)
                        .flatMap(found -> Optional.ofNullable(found).stream())
                        .map(Recommendation::kind)
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(Kind.values());
    }

    @Test
    void a_search_that_is_handed_its_history_again_goes_on_where_it_was() {
        for (SimulatedStudy study : studies) {
            Random random = new Random(study.settings().seed());
            for (int restart = 0; restart < 3; restart++) {
                int seen = random.nextInt(study.history().size() + 1);

                SearchState state = new GuardedSearch(study.settings(), SamplerKind.ONE_AT_A_TIME.create())
                        .after(study.history().subList(0, seen));

                assertThat(state).isEqualTo(study.states().get(seen));
            }
        }
    }

    @Test
    void no_config_is_asked_twice_for_one_phase_and_round() {
        assertThat(studies).allSatisfy(study -> assertThat(study.asks()).doesNotHaveDuplicates());
    }

    @Test
    void only_the_baseline_may_lie_outside_the_space() {
        assertThat(studies)
                .allSatisfy(study -> assertThat(study.asks())
                        .extracting(Ask::config)
                        .allMatch(config -> study.settings().space().contains(config)
                                || config.equals(study.settings().baseline())));
    }

    @Test
    void what_must_not_be_tried_is_not_asked() {
        assertThat(studies)
                .allSatisfy(study -> assertThat(study.asks())
                        .extracting(Ask::config)
                        .filteredOn(config -> !config.equals(study.settings().baseline()))
                        .allMatch(config ->
                                study.settings().infeasible().apply(config).isEmpty()));
    }

    @Test
    void what_was_skipped_was_not_measured_and_has_a_reason() {
        assertThat(studies).allSatisfy(study -> {
            Set<LoaderConfig> measured = study.asks().stream().map(Ask::config).collect(Collectors.toSet());
            assertThat(study.end().skipped()).extracting(Skip::config).doesNotHaveDuplicates();
            assertThat(study.end().skipped()).allSatisfy(skip -> {
                assertThat(measured).doesNotContain(skip.config());
                assertThat(skip.reason()).isNotBlank();
            });
        });
    }

    @Test
    void what_failed_is_not_asked_again_and_not_recommended() {
        assertThat(studies).allSatisfy(study -> {
            Set<LoaderConfig> failed = new HashSet<>();
            for (Observation seen : study.history()) {
                assertThat(failed).doesNotContain(seen.ask().config());
                if (seen.failure() != null) {
                    failed.add(seen.ask().config());
                }
            }
            assertThat(study.conclusion().tieSet()).noneMatch(failed::contains);
            Recommendation found = study.recommendation();
            if (found != null) {
                assertThat(failed).doesNotContain(found.config());
            }
        });
    }

    @Test
    void what_is_recommended_was_measured_and_stayed_in_the_comparison_to_its_end() {
        assertThat(studies).allSatisfy(study -> {
            Recommendation found = study.recommendation();
            if (found == null) {
                assertThat(study.working()).isEmpty();
                return;
            }
            assertThat(study.conclusion().tieSet()).isNotEmpty();
            assertThat(study.working()).contains(found.config());
            int lastRound = study.asks().stream()
                    .filter(ask -> ask.phase() == Phase.CONFIRM)
                    .mapToInt(Ask::round)
                    .max()
                    .orElse(0);
            // Where the baseline failed in the end, who had been dropped for not beating it may come back.
            boolean compared =
                    lastRound > 0 && study.working().contains(study.settings().baseline());
            if (compared && found.kind() != Kind.KEPT) {
                assertThat(study.asks()).contains(new Ask(found.config(), Phase.CONFIRM, lastRound));
            }
            if (found.kind() == Kind.FASTER) {
                assertThat(study.conclusion().tieSet()).contains(found.config());
            }
        });
    }

    @Test
    void no_round_is_begun_after_the_budget_is_spent() {
        assertThat(studies).allSatisfy(study -> {
            double budget = study.settings().budget().wallSeconds();
            Set<String> begunLate = new HashSet<>();
            Map<String, Double> begun = new HashMap<>();
            double elapsed = 0;
            for (Observation seen : study.history()) {
                begun.putIfAbsent(seen.ask().block(), elapsed);
                if (elapsed > budget && begun.getOrDefault(seen.ask().block(), elapsed) > budget) {
                    begunLate.add(seen.ask().block());
                }
                elapsed = seen.elapsedSeconds();
            }
            assertThat(begunLate).isEmpty();
        });
    }

    @Test
    void no_more_configs_are_measured_than_the_budget_has_trials() {
        assertThat(studies)
                .allSatisfy(study -> assertThat(
                                study.asks().stream().map(Ask::config).distinct())
                        .hasSizeLessThanOrEqualTo(study.settings().budget().maxTrials()));
    }

    @Test
    void every_step_is_a_sentence_with_its_numbers() {
        assertThat(studies)
                .allSatisfy(study -> assertThat(study.end().explanation())
                        .isNotEmpty()
                        .allSatisfy(step -> {
                            assertThat(step.text()).doesNotContain("null", "Optional");
                            if (step.decision() != Decision.NOT_SEARCHED) {
                                assertThat(step.text()).matches("(?s).*\\d.*");
                            }
                        }));
    }

    @Test
    void no_number_is_not_a_number() {
        assertThat(studies).allSatisfy(study -> {
            assertThat(study.end().toString()).doesNotContain("NaN", "Infinity");
            study.end()
                    .resolvableDifference()
                    .ifPresent(difference -> assertThat(difference).isPositive().isFinite());
            assertThat(study.end().explanation())
                    .flatMap(step -> Optional.ofNullable(step.ratio()).stream().toList())
                    .allSatisfy(OneAtATimeInvariantsTest::assertInOrder);
            Recommendation found = study.recommendation();
            if (found != null && found.speedup() != null) {
                assertInOrder(found.speedup());
            }
        });
    }

    private static void assertInOrder(Ratio ratio) {
        assertThat(ratio.low()).isPositive().isLessThanOrEqualTo(ratio.ratio());
        assertThat(ratio.high()).isFinite().isGreaterThanOrEqualTo(ratio.ratio());
        assertThat(ratio.rounds()).isPositive();
    }

    /** A machine, a space and a budget drawn by the seed. */
    private static SimulatedStudy anyStudy(long seed) {
        Random random = new Random(seed);
        double pace = Math.pow(10, 1 + 4 * random.nextDouble());
        int useful = random.nextInt(9);
        List<ToDoubleFunction<LoaderConfig>> truths = List.of(
                config -> pace,
                config -> pace * Math.max(1, config.numWorkers()),
                config -> pace * Math.max(0.6, Math.min(useful, config.numWorkers())),
                config -> config.numWorkers() == 0 ? 5 * pace : pace,
                config -> pace * Math.pow(config.batchSize(), 0.5) / (1 + Math.abs(config.numWorkers() - useful)),
                config -> pace * (config.pinMemory() ? 3 : 1) * config.batchesInFlight() + 1);
        SimulatedMachine machine = SimulatedMachine.whoseLoaderDelivers(truths.get(random.nextInt(truths.size())))
                .withNoise(0.15 * random.nextDouble(), 0.3 * random.nextDouble())
                .withOverheadSeconds(3 * random.nextDouble());
        if (random.nextBoolean()) {
            machine.withStepTakingIn(pace * (random.nextBoolean() ? 0.2 : 8 * random.nextDouble()) + 1);
        }
        int failing = random.nextInt(8);
        if (failing == 0) {
            machine.failingAt(ask -> true);
        } else if (failing <= 3) {
            machine.failingAt(ask -> Math.floorMod(31 * ask.toString().hashCode() + 7, 12) == 0);
        }

        Settings settings = settings()
                .baseline(
                        random.nextInt(4) == 0
                                ? LoaderConfig.of(5, 3, true, 48, false, null)
                                : config(List.of(0, 1, 4, 8).get(random.nextInt(4))))
                .cores(0.5 + 12 * random.nextDouble())
                .step(machine.stepRate())
                .budget(
                        List.of(10, 30, 60, 300, 900).get(random.nextInt(5)),
                        List.of(1, 4, 60, 60).get(random.nextInt(4)));
        if (random.nextBoolean()) {
            settings.pinning(false, true);
        }
        if (random.nextBoolean()) {
            settings.batches(16, 64, 256);
        }
        if (random.nextBoolean()) {
            settings.infeasible(config -> config.batchesInFlight() > 12
                    ? Optional.of("more than 12 batches in flight do not fit")
                    : Optional.empty());
        }
        return machine.run(settings.seed(seed), seed);
    }
}
