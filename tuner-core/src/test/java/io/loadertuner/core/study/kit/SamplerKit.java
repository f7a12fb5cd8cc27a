package io.loadertuner.core.study.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import io.loadertuner.core.study.Ask;
import io.loadertuner.core.study.Observation;
import io.loadertuner.core.study.Phase;
import io.loadertuner.core.study.Proposal;
import io.loadertuner.core.study.Sampler;
import io.loadertuner.core.study.SamplerView;
import io.loadertuner.core.study.SearchSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * What every sampler must do, as a suite of JUnit 6: extend it, return your sampler, run it. Needs JUnit Jupiter and
 * AssertJ.
 *
 * <pre>{@code
 * class MySamplerTest extends SamplerKit {
 *     @Override
 *     protected Sampler sampler() {
 *         return new MySampler();
 *     }
 * }
 * }</pre>
 */
public abstract class SamplerKit {

    /** Samplers may measure a config several times; none needs as many rounds for each. */
    private static final int ROUNDS_PER_CONFIG = 20;

    /** 0 to 4 workers, two prefetch factors, pinning or not, two batch sizes: (1 + 4 × 2) × 2 × 2 = 36 configs. */
    private static final SearchSpace SPACE =
            new SearchSpace(List.of(0, 1, 2, 3, 4), List.of(2, 4), List.of(false, true), List.of(32, 64), true, null);

    private static final int ENOUGH_ROUNDS = 36 * ROUNDS_PER_CONFIG;

    /** For subclasses. */
    protected SamplerKit() {}

    /** A new instance of the sampler under test, each time. */
    protected abstract Sampler sampler();

    /** Whether the seed has a say in the order of its proposals; override it for a sampler that draws nothing. */
    protected boolean dependsOnSeed() {
        return true;
    }

    @Test
    void every_proposal_is_in_the_space() {
        List<LoaderConfig> configs =
                talk(Settings.of(SPACE).seed(1)).run(ENOUGH_ROUNDS).configs();

        assertThat(configs).isNotEmpty().allMatch(SPACE::contains);
    }

    @Test
    void values_with_gaps_are_proposed_as_they_are() {
        SearchSpace gaps =
                new SearchSpace(List.of(1, 7, 16), List.of(3, 8), List.of(true), List.of(10, 1000), false, "spawn");

        List<LoaderConfig> configs =
                talk(Settings.of(gaps).seed(1)).run(ENOUGH_ROUNDS).configs();

        assertThat(configs).isNotEmpty().allMatch(gaps::contains);
    }

    @Test
    void a_baseline_and_observations_outside_the_space_do_no_harm() {
        LoaderConfig outside = LoaderConfig.of(9, 16, false, 7, true, null);
        Settings settings = Settings.of(SPACE).baseline(outside);
        SamplerView told = new SamplerView(
                settings.seed(1),
                List.of(
                        new Observation(new Ask(outside, Phase.BASELINE, 1), 100.0, null, 1, 1),
                        new Observation(new Ask(outside, Phase.BASELINE, 2), 110.0, null, 1, 2)),
                Set.of(),
                Set.of());

        assertThat(sampler().propose(told))
                .isInstanceOfSatisfying(
                        Proposal.Measure.class,
                        first ->
                                assertThat(SPACE.contains(first.ask().config())).isTrue());
        assertThat(talk(settings.seed(1)).run(ENOUGH_ROUNDS).configs()).allMatch(SPACE::contains);
    }

    @Test
    void what_is_known_to_be_good_changes_no_rule() {
        List<LoaderConfig> warm = List.of(
                LoaderConfig.of(4, 4, true, 64, true, null),
                LoaderConfig.of(12, 16, false, 512, true, "fork"),
                LoaderConfig.of(0, 2, false, 32, true, null));
        Conversation talk = talk(Settings.of(SPACE).warmStart(warm).seed(1)).run(ENOUGH_ROUNDS);

        assertThat(talk.configs()).isNotEmpty().allMatch(SPACE::contains);
        assertThat(talk.asked()).doesNotHaveDuplicates();
    }

    @Test
    void what_is_infeasible_is_never_proposed() {
        Settings fewInFlight = Settings.of(SPACE)
                .infeasible(config -> config.batchesInFlight() * config.batchSize() > 256
                        ? Optional.of("too much memory")
                        : Optional.empty());

        List<LoaderConfig> configs =
                talk(fewInFlight.seed(1)).run(ENOUGH_ROUNDS).configs();

        assertThat(configs).isNotEmpty().allMatch(config -> config.batchesInFlight() * config.batchSize() <= 256);
    }

    @Test
    void what_was_passed_over_is_never_proposed() {
        Conversation talk = talk(Settings.of(SPACE).seed(1));
        Set<LoaderConfig> passedOver = new HashSet<>();

        for (int count = 0; count < ENOUGH_ROUNDS && talk.next() instanceof Proposal.Measure measure; count++) {
            assertThat(passedOver).doesNotContain(measure.ask().config());
            if (count % 2 == 0) {
                passedOver.add(measure.ask().config());
                talk.passOver(measure.ask());
            } else {
                talk.tell(measure.ask());
            }
        }

        assertThat(passedOver).isNotEmpty();
    }

    @Test
    void where_everything_is_infeasible_or_passed_over_it_ends() {
        Settings nothing = Settings.of(SPACE).infeasible(config -> Optional.of("no"));
        SamplerView allPassedOver =
                new SamplerView(Settings.of(SPACE).seed(1), List.of(), Set.of(), Set.copyOf(SPACE.configs()));

        assertThat(talk(nothing.seed(1)).next()).isEqualTo(new Proposal.Exhausted());
        assertThat(sampler().propose(allPassedOver)).isEqualTo(new Proposal.Exhausted());
    }

    @Test
    void nothing_is_asked_twice() {
        List<Ask> asked = talk(Settings.of(SPACE).seed(1)).run(ENOUGH_ROUNDS).asked();

        // A repeat is another round or another phase, and so another ask.
        assertThat(asked).doesNotHaveDuplicates();
    }

    @Test
    void the_same_seed_gives_the_same_asks() {
        for (long seed = 0; seed < 10; seed++) {
            List<Ask> once = talk(Settings.of(SPACE).seed(seed)).run(60).asked();
            List<Ask> again = talk(Settings.of(SPACE).seed(seed)).run(60).asked();

            assertThat(again).isEqualTo(once);
        }
    }

    @Test
    void other_seeds_give_other_asks() {
        assumeTrue(dependsOnSeed(), "this sampler says that it does not depend on the seed");

        Set<List<Ask>> ways = LongStream.range(0, 10)
                .mapToObj(seed -> talk(Settings.of(SPACE).seed(seed)).run(8).asked())
                .collect(Collectors.toSet());

        assertThat(ways).hasSizeGreaterThan(1);
    }

    @Test
    void after_a_restart_it_goes_on_where_it_was() {
        Conversation talk = talk(Settings.of(SPACE).seed(3));

        for (int round = 0; round < 60; round++) {
            Proposal ofAnother = talk.nextOfAnother();
            Proposal next = talk.next();

            assertThat(ofAnother).isEqualTo(next);
            if (!(next instanceof Proposal.Measure measure)) {
                return;
            }
            talk.tell(measure.ask());
        }
    }

    @Test
    void after_a_restart_with_failures_and_open_asks_it_goes_on_where_it_was() {
        Conversation talk = new Conversation(this::sampler, Settings.of(SPACE).seed(3), SamplerKit::fails);

        for (int round = 0; round < 30; round++) {
            for (int open = talk.pending().size(); open < 3; open++) {
                Proposal ofAnother = talk.nextOfAnother();
                Proposal next = talk.next();

                assertThat(ofAnother).isEqualTo(next);
                if (!(next instanceof Proposal.Measure)) {
                    break;
                }
            }
            if (talk.pending().isEmpty()) {
                return;
            }
            talk.tell(lastFirst(talk.pending()).get(0));
        }
    }

    @Test
    void with_a_step_and_a_tight_budget_every_rule_holds() {
        for (double step : new double[] {50, 1_000_000}) {
            for (Settings settings : List.of(
                    Settings.of(SPACE).step(step).budget(10, 3),
                    Settings.of(SPACE).step(step).budget(20, 60),
                    Settings.of(SPACE).step(step))) {
                Conversation talk =
                        new Conversation(this::sampler, settings.seed(1), SamplerKit::fails).run(ENOUGH_ROUNDS);

                assertThat(talk.configs()).isNotEmpty().allMatch(SPACE::contains);
                assertThat(talk.asked()).doesNotHaveDuplicates();
                assertThat(talk.next()).isEqualTo(new Proposal.Exhausted());
                assertThat(new Conversation(this::sampler, settings.seed(1), SamplerKit::fails)
                                .run(ENOUGH_ROUNDS)
                                .asked())
                        .isEqualTo(talk.asked());
            }
        }
    }

    @Test
    void an_instance_that_saw_another_study_in_between_is_not_misled() {
        Sampler shared = sampler();
        Conversation alone = talk(Settings.of(SPACE).seed(3)).run(12);
        Conversation beside = new Conversation(() -> shared, Settings.of(SPACE).seed(3));
        Conversation other = new Conversation(() -> shared, Settings.of(SPACE).seed(4));

        for (int round = 1; round <= 12; round++) {
            other.run(round);
            beside.run(round);
        }

        assertThat(beside.asked()).isEqualTo(alone.asked());
    }

    @Test
    void what_failed_is_not_proposed_again_and_the_others_are() {
        Conversation talk =
                new Conversation(this::sampler, Settings.of(SPACE).seed(1), config -> config.numWorkers() > 2);
        talk.run(ENOUGH_ROUNDS);

        List<LoaderConfig> failed = talk.told().stream()
                .filter(observation -> observation.failure() != null)
                .map(observation -> observation.ask().config())
                .toList();
        assertThat(failed).doesNotHaveDuplicates();
        assertThat(talk.configs()).anyMatch(config -> config.numWorkers() <= 2);
    }

    @Test
    void after_a_failure_it_goes_on() {
        Conversation talk = new Conversation(this::sampler, Settings.of(SPACE).seed(1), config -> true);

        talk.run(1);

        assertThat(talk.next()).isInstanceOf(Proposal.Measure.class);
    }

    @Test
    void where_everything_fails_it_ends() {
        Conversation talk = new Conversation(this::sampler, Settings.of(SPACE).seed(1), config -> true);

        talk.run(ENOUGH_ROUNDS);

        assertThat(talk.configs()).doesNotHaveDuplicates();
        assertThat(talk.next()).isEqualTo(new Proposal.Exhausted());
    }

    @Test
    void several_may_be_open_and_be_told_in_any_order() {
        Conversation talk = talk(Settings.of(SPACE).seed(1));

        boolean ended = false;
        while (!ended && talk.told().size() < ENOUGH_ROUNDS) {
            Proposal proposal = talk.next();
            for (int open = 1; open < 4 && proposal instanceof Proposal.Measure; open++) {
                proposal = talk.next();
            }
            ended = proposal instanceof Proposal.Exhausted;
            if (proposal instanceof Proposal.AwaitOutcome) {
                assertThat(talk.pending()).as("outcomes to await").isNotEmpty();
            }
            lastFirst(talk.pending()).forEach(talk::tell);
        }

        assertThat(ended).isTrue();
        assertThat(talk.asked()).doesNotHaveDuplicates();
        assertThat(talk.configs()).allMatch(SPACE::contains);
    }

    @Test
    void it_awaits_nothing_where_nothing_is_open() {
        Conversation talk = talk(Settings.of(SPACE).seed(1));
        Proposal proposal = talk.next();

        while (proposal instanceof Proposal.Measure measure && talk.told().size() < ENOUGH_ROUNDS) {
            talk.tell(measure.ask());
            proposal = talk.next();
        }

        assertThat(proposal).isEqualTo(new Proposal.Exhausted());
    }

    @Test
    void a_space_of_one_config_ends() {
        SearchSpace one = new SearchSpace(List.of(2), List.of(2), List.of(false), List.of(32), true, null);
        Conversation talk = talk(Settings.of(one).seed(1)).run(ROUNDS_PER_CONFIG);

        assertThat(talk.configs()).containsOnly(LoaderConfig.of(2, 2, false, 32, true, null));
        assertThat(talk.next()).isEqualTo(new Proposal.Exhausted());
    }

    @Test
    void a_space_of_four_configs_ends() {
        // Without workers both prefetch factors are one config.
        SearchSpace four = new SearchSpace(List.of(0, 2), List.of(2, 4, 8), List.of(false), List.of(32), true, null);
        Conversation talk = talk(Settings.of(four).seed(1)).run(4 * ROUNDS_PER_CONFIG);

        assertThat(talk.configs()).isNotEmpty().allMatch(four::contains);
        assertThat(talk.next()).isEqualTo(new Proposal.Exhausted());
    }

    @Test
    void a_space_of_two_thousand_configs_is_no_error() {
        // (0 to 124 workers) × 4 × 4: 4 × (1 + 124 × 4) = 1,988 configs.
        SearchSpace large = new SearchSpace(
                IntStream.rangeClosed(0, 124).boxed().toList(),
                List.of(1, 2, 4, 8),
                List.of(false),
                List.of(32, 64, 128, 256),
                true,
                null);

        Conversation talk = talk(Settings.of(large).seed(1)).run(200);

        assertThat(talk.asked()).isNotEmpty().doesNotHaveDuplicates();
        assertThat(talk.configs()).allMatch(large::contains);
    }

    private static boolean fails(LoaderConfig config) {
        return config.numWorkers() == 3 || (config.pinMemory() && config.batchSize() == 64);
    }

    private Conversation talk(SearchSettings settings) {
        return new Conversation(this::sampler, settings);
    }

    private static List<Ask> lastFirst(Set<Ask> asks) {
        List<Ask> reversed = new ArrayList<>(asks);
        Collections.reverse(reversed);
        return reversed;
    }
}
