package io.loadertuner.core.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.kit.SamplerKit;
import io.loadertuner.core.study.sampler.GridSampler;
import io.loadertuner.core.study.sampler.RandomSampler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The suite finds what it is there to find. */
class SamplerKitTest {

    @Test
    void a_config_outside_the_space() {
        assertThat(failures(() -> view -> anyOf(view.untried().stream()
                        .map(config -> LoaderConfig.of(
                                config.numWorkers() + 9, 2, config.pinMemory(), config.batchSize(), true, null))
                        .toList())))
                .contains("every_proposal_is_in_the_space", "values_with_gaps_are_proposed_as_they_are");
    }

    @Test
    void the_same_again_and_again() {
        assertThat(failures(() -> view -> anyOf(lastOf(view.space().configs()))))
                .contains(
                        "nothing_is_asked_twice",
                        "what_is_infeasible_is_never_proposed",
                        "what_was_passed_over_is_never_proposed",
                        "what_failed_is_not_proposed_again_and_the_others_are",
                        "where_everything_fails_it_ends",
                        "a_space_of_one_config_ends",
                        "a_space_of_four_configs_ends");
    }

    @Test
    void what_is_pending_asked_for_again() {
        assertThat(failures(() -> view -> new GridSampler()
                        .propose(new SamplerView(view.settings(), view.told(), Set.of(), view.passedOver()))))
                .containsExactly("several_may_be_open_and_be_told_in_any_order");
    }

    @Test
    void what_was_passed_over_asked_for_again() {
        assertThat(failures(() -> view -> new GridSampler()
                        .propose(new SamplerView(view.settings(), view.told(), view.pending(), Set.of()))))
                .contains("what_was_passed_over_is_never_proposed");
    }

    @Test
    void a_memory_of_its_own() {
        assertThat(failures(() -> {
                    AtomicInteger calls = new AtomicInteger();
                    return view -> {
                        List<LoaderConfig> untried = view.untried();
                        int call = calls.getAndIncrement();
                        return untried.isEmpty()
                                ? new Proposal.Exhausted()
                                : anyOf(untried.subList(call % untried.size(), untried.size()));
                    };
                }))
                .contains(
                        "after_a_restart_it_goes_on_where_it_was",
                        "an_instance_that_saw_another_study_in_between_is_not_misled");
    }

    @Test
    void what_is_open_remembered_instead_of_read() {
        assertThat(failures(() -> {
                    Set<LoaderConfig> proposed = new HashSet<>();
                    return view -> {
                        SamplerView nothingOpen =
                                new SamplerView(view.settings(), view.told(), Set.of(), view.passedOver());
                        Optional<LoaderConfig> next = nothingOpen.untried().stream()
                                .filter(config -> !proposed.contains(config))
                                .findFirst();
                        next.ifPresent(proposed::add);
                        return anyOf(next.stream().toList());
                    };
                }))
                .contains("after_a_restart_with_failures_and_open_asks_it_goes_on_where_it_was")
                .doesNotContain("after_a_restart_it_goes_on_where_it_was");
    }

    @Test
    void a_step_that_misleads() {
        assertThat(failures(() -> view -> view.settings().withStep()
                        ? anyOf(lastOf(view.space().configs()))
                        : new RandomSampler().propose(view)))
                .containsExactly("with_a_step_and_a_tight_budget_every_rule_holds");
    }

    @Test
    void randomness_that_the_seed_does_not_decide() {
        assertThat(failures(() -> view -> {
                    List<LoaderConfig> untried = view.untried();
                    return untried.isEmpty()
                            ? new Proposal.Exhausted()
                            : anyOf(untried.subList((int) (Math.random() * untried.size()), untried.size()));
                }))
                .contains("the_same_seed_gives_the_same_asks", "after_a_restart_it_goes_on_where_it_was");
    }

    @Test
    void a_seed_without_a_say() {
        assertThat(failures(() -> view -> view.untried().isEmpty() ? new Proposal.Exhausted() : anyOf(view.untried())))
                .containsExactly("other_seeds_give_other_asks");
    }

    @Test
    void a_failure_that_ends_it() {
        assertThat(failures(() -> view -> view.told().stream().anyMatch(told -> told.failure() != null)
                        ? new Proposal.Exhausted()
                        : new RandomSampler().propose(view)))
                .contains("after_a_failure_it_goes_on");
    }

    @Test
    void an_outcome_awaited_that_cannot_come() {
        assertThat(failures(() -> view ->
                        view.untried().isEmpty() ? new Proposal.AwaitOutcome() : new RandomSampler().propose(view)))
                .contains("it_awaits_nothing_where_nothing_is_open", "where_everything_fails_it_ends");
    }

    private static List<LoaderConfig> lastOf(List<LoaderConfig> configs) {
        return configs.subList(configs.size() - 1, configs.size());
    }

    private static Proposal anyOf(List<LoaderConfig> configs) {
        return configs.isEmpty() ? new Proposal.Exhausted() : new Proposal.Measure(Ask.first(configs.get(0)));
    }

    /** Names of the suite's tests that the sampler does not pass. */
    private static List<String> failures(Supplier<Sampler> samplers) {
        SamplerKit kit = new SamplerKit() {
            @Override
            protected Sampler sampler() {
                return samplers.get();
            }
        };
        List<String> failures = new ArrayList<>();
        for (Method test : SamplerKit.class.getDeclaredMethods()) {
            if (test.isAnnotationPresent(Test.class)) {
                try {
                    test.setAccessible(true);
                    test.invoke(kit);
                } catch (InvocationTargetException failed) {
                    failures.add(test.getName());
                } catch (IllegalAccessException unreadable) {
                    throw new AssertionError(unreadable);
                }
            }
        }
        return failures;
    }
}
