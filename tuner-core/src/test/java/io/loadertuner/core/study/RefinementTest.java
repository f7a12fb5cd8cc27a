package io.loadertuner.core.study;

import static io.loadertuner.core.study.Settings.config;
import static io.loadertuner.core.study.Settings.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Explanation.Decision;
import io.loadertuner.core.study.SimulatedMachine.SimulatedStudy;
import io.loadertuner.core.study.sampler.SamplerKind;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What is looked at where one setting at a time has come to its end and budget is left. */
class RefinementTest {
    private static final int SEEDS = 30;

    private final SimulatedMachine interacting = SimulatedMachine.whoseLoaderDelivers(RefinementTest::paysTogether);

    @Test
    void what_only_pays_together_is_found() {
        assertThat(run(new OneAtATime()))
                .allSatisfy(study -> assertThat(truthOfAnswer(study)).isLessThanOrEqualTo(2_000));

        List<SimulatedStudy> refined = run(SamplerKind.ONE_AT_A_TIME.create());

        assertThat(refined.stream().filter(study -> truthOfAnswer(study) == 6_000))
                .hasSizeGreaterThan(SEEDS * 2 / 3);
        assertThat(refined)
                .anySatisfy(study -> assertThat(searchSteps(study)).anySatisfy(step -> {
                    assertThat(step.decision()).isEqualTo(Decision.MOVED);
                    assertThat(step.text())
                            .startsWith(
                                    "search: of 4 more configs, proposed by the genetic sampler from all trials so far, one takes "
                                            + "the lead (")
                            .contains("batch 256 against ", "in 2 paired rounds");
                    assertThat(Objects.requireNonNull(step.ratio()).low()).isGreaterThan(1);
                }));
    }

    @Test
    void nothing_is_proposed_that_was_tried() {
        assertThat(run(SamplerKind.ONE_AT_A_TIME.create())).allSatisfy(study -> {
            Set<LoaderConfig> tried = new HashSet<>();
            Set<LoaderConfig> challengers = new HashSet<>();
            for (Ask ask : study.asks()) {
                boolean firstRound = ask.phase() == Phase.SEARCH && ask.round() % 2 == 1;
                if (firstRound && !tried.contains(ask.config())) {
                    challengers.add(ask.config());
                }
                tried.add(ask.config());
            }
            long firstLooks = study.asks().stream()
                    .filter(ask -> ask.phase() == Phase.SEARCH && ask.round() % 2 == 1)
                    .count();
            long challenges = study.asks().stream()
                    .filter(ask -> ask.phase() == Phase.SEARCH && ask.round() % 2 == 1)
                    .map(Ask::round)
                    .distinct()
                    .count();
            // Each challenge has the leader, which was tried before, and only new ones beside it.
            assertThat(challengers).hasSize((int) (firstLooks - challenges));
        });
    }

    @Test
    void after_two_challenges_in_vain_it_is_enough() {
        SimulatedMachine moreIsBetter =
                SimulatedMachine.whoseLoaderDelivers(config -> 400 * Math.max(1, config.numWorkers()));

        SimulatedStudy study = moreIsBetter.run(
                settings().batches(16, 32, 64, 128).budget(900, 60).seed(1), 1);

        List<Explanation> steps = searchSteps(study);
        assertThat(steps)
                .filteredOn(step -> step.decision() == Decision.STAYED)
                .hasSize(2)
                .allSatisfy(step -> {
                    assertThat(step.from()).isEqualTo(step.to());
                    assertThat(step.ratio()).isNotNull();
                    assertThat(step.text()).contains("none is better beyond noise (", " against 8 workers");
                });
        assertThat(steps)
                .filteredOn(step -> step.decision() != Decision.STAYED)
                .hasSize(2 * 4)
                .allSatisfy(step -> {
                    assertThat(step.decision()).isEqualTo(Decision.DROPPED);
                    assertThat(step.from()).startsWith("8 workers");
                    assertThat(step.ratio()).isNotNull();
                });
    }

    @Test
    void where_time_is_short_it_is_left_to_the_confirmation() {
        SimulatedStudy study =
                interacting.run(interactingSettings().budget(60, 60).seed(1), 1);

        assertThat(study.asks()).extracting(Ask::phase).doesNotContain(Phase.SEARCH);
        assertThat(searchSteps(study)).singleElement().satisfies(step -> {
            assertThat(step.decision()).isEqualTo(Decision.NOT_SEARCHED);
            assertThat(step.text()).startsWith("search: no more combinations were looked at: of the ");
        });
    }

    @Test
    void a_step_that_is_fed_needs_no_faster_loader() {
        SimulatedMachine fed =
                SimulatedMachine.whoseLoaderDelivers(config -> 3_000).withStepTakingIn(500);

        SimulatedStudy study =
                fed.run(settings().baseline(config(4)).step(fed.stepRate()).seed(1), 1);

        assertThat(searchSteps(study)).isEmpty();
    }

    @Test
    void without_a_step_other_prefetch_factors_are_nothing_new() {
        assertThat(run(SamplerKind.ONE_AT_A_TIME.create()))
                .allSatisfy(study -> assertThat(study.asks())
                        .extracting(ask -> ask.config().prefetchFactor())
                        .containsOnly(null, 2));
    }

    /** Workers only pay with large batches, and only from three: from 0 workers, one step at a time leads nowhere. */
    private static double paysTogether(LoaderConfig config) {
        boolean large = config.batchSize() == 256;
        if (config.numWorkers() == 0) {
            return large ? 2_000 : 1_000;
        }
        // Not with as many as there are cores, where the search begins.
        return config.numWorkers() >= 3 && config.numWorkers() < 8 && large ? 6_000 : 500;
    }

    private List<SimulatedStudy> run(Sampler sampler) {
        LongFunction<SimulatedStudy> study =
                seed -> interacting.run(interactingSettings().budget(900, 60).seed(seed), sampler, seed);
        return LongStream.range(0, SEEDS).parallel().mapToObj(study).toList();
    }

    private static Settings interactingSettings() {
        return settings().batches(32, 64, 128, 256).baseline(config(0, 32));
    }

    private static double truthOfAnswer(SimulatedStudy study) {
        return paysTogether(Objects.requireNonNull(study.recommendation()).config());
    }

    private static List<Explanation> searchSteps(SimulatedStudy study) {
        return study.end().explanation().stream()
                .filter(step -> step.setting().equals("search"))
                .toList();
    }
}
