package io.loadertuner.core.study;

import static io.loadertuner.core.study.Settings.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import io.loadertuner.core.study.SearchState.Next;
import io.loadertuner.core.study.SimulatedMachine.SimulatedStudy;
import io.loadertuner.core.study.sampler.GridSampler;
import io.loadertuner.core.study.sampler.SamplerKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a failure says about configs that were not tried. Configs are written workers-prefetch-batch, and the start method. */
class ImplicationTest {

    @ParameterizedTest
    @CsvSource({
        "gpu_out_of_memory, 2-2-128, 2-2-256, true",
        "gpu_out_of_memory, 2-2-128, 0-0-256, true",
        "gpu_out_of_memory, 2-2-128, 8-8-128, false",
        "gpu_out_of_memory, 2-2-128, 8-8-64, false",
        "host_out_of_memory, 0-0-128, 0-0-256, true",
        "host_out_of_memory, 0-0-128, 4-2-128, true",
        "host_out_of_memory, 2-2-128, 2-2-256, true",
        "host_out_of_memory, 2-2-128, 2-4-128, true",
        "host_out_of_memory, 2-2-128, 0-0-256, false",
        "host_out_of_memory, 2-2-128, 4-1-64, false",
        "shared_memory_exhausted, 2-2-64, 4-2-64, true",
        "shared_memory_exhausted, 2-2-64, 1-5-64, true",
        "shared_memory_exhausted, 2-2-64, 1-1-512, true",
        "shared_memory_exhausted, 2-2-64, 4-1-64, false",
        "shared_memory_exhausted, 2-2-64, 1-2-64, false",
        "shared_memory_exhausted, 2-2-64, 0-0-512, false",
        "too_many_open_files, 2-2-64, 4-2-64, true",
        "too_many_open_files, 2-2-64, 2-4-64, true",
        "too_many_open_files, 2-2-64, 1-8-64, false",
        "too_many_open_files, 0-0-64, 2-2-64, false",
        "process_limit, 4-2-64, 5-1-32, true",
        "process_limit, 4-2-64, 4-8-256, false",
        "process_limit, 4-2-64, 0-0-256, false",
        "not_picklable, 2-2-64-spawn, 1-1-8-spawn, true",
        "not_picklable, 2-2-64-spawn, 1-1-8-fork, false",
        "not_picklable, 2-2-64-spawn, 0-0-64, false",
        "worker_crashed, 1-1-8, 8-8-256, false",
        "timed_out, 1-1-8, 8-8-256, false",
    })
    void it_rules_out_what_asks_for_more_of_what_ran_out(
            String failure, String failed, String other, boolean expected) {
        Optional<String> obstacle =
                Lessons.of(List.of(observation(failed, failure))).obstacle(config(other));

        assertThat(obstacle.isPresent()).isEqualTo(expected);
    }

    @Test
    void its_reason_names_both_numbers() {
        assertThat(Lessons.of(List.of(observation("2-2-64", "shared_memory_exhausted")))
                        .obstacle(config("4-2-64")))
                .contains("shared memory was exhausted by 256 samples in flight (2 workers, prefetch 2, batch 64), and"
                        + " this has 512 (workers × prefetch × batch)");
        assertThat(Lessons.of(List.of(observation("0-0-128", "gpu_out_of_memory")))
                        .obstacle(config("0-0-256")))
                .contains("the GPU's memory was exhausted at batch 128, and this has 256");
    }

    @Test
    void what_works_beyond_a_failure_refutes_it() {
        Lessons lessons =
                Lessons.of(List.of(observation("2-2-64", "shared_memory_exhausted"), observation("4-4-64", null)));

        assertThat(lessons.obstacle(config("4-2-64"))).isEmpty();
        assertThat(lessons.obstacle(config("8-4-64"))).isPresent();
    }

    @Test
    void every_failure_that_implies_something_has_its_name_in_the_list_of_failures() {
        for (Implication implication : Implication.values()) {
            assertThat(Implication.of(FailureReason.valueOf(implication.name()).code()))
                    .contains(implication);
        }
    }

    @ParameterizedTest
    @EnumSource(SamplerKind.class)
    void larger_products_are_not_tried_after_shared_memory_was_exhausted(SamplerKind kind) {
        long fits = 512;
        SimulatedMachine small = SimulatedMachine.whoseLoaderDelivers(config -> 300 * Math.max(1, config.numWorkers()))
                .withStepTakingIn(100_000)
                .failingWith("shared_memory_exhausted", config -> inFlight(config) > fits);

        for (long seed = 0; seed < 10; seed++) {
            SimulatedStudy study =
                    small.run(settings().cores(4).step(small.stepRate()).seed(seed), kind.create(), seed);

            long least = Long.MAX_VALUE;
            for (Observation seen : study.history()) {
                assertThat(inFlight(seen.ask().config())).isLessThanOrEqualTo(least);
                least = seen.failure() == null
                        ? least
                        : Math.min(least, inFlight(seen.ask().config()));
            }
            assertThat(study.end().skipped())
                    .filteredOn(skip -> skip.reason().startsWith("shared memory was exhausted"))
                    .isNotEmpty()
                    .allSatisfy(skip -> assertThat(inFlight(skip.config())).isGreaterThan(fits));
            assertThat(inFlight(Objects.requireNonNull(study.recommendation()).config()))
                    .isLessThanOrEqualTo(fits);
            goesOnAsItDid(study, kind);
        }
    }

    /** From any part of its history the search asks for what it did ask for, though it knows more of the failures by then. */
    private static void goesOnAsItDid(SimulatedStudy study, SamplerKind kind) {
        GuardedSearch again = new GuardedSearch(study.settings(), kind.create());
        for (int length = 0; length < study.history().size(); length++) {
            SearchState state = again.after(study.history().subList(0, length));
            assertThat(state.next())
                    .isEqualTo(new Next.Measure(study.history().get(length).ask()));
        }
    }

    @Test
    void a_study_that_is_asked_and_told_obeys_too() {
        SearchSpace space = new SearchSpace(List.of(0, 1, 2, 4), List.of(2), List.of(false), List.of(8), true, null);
        for (Sampler sampler : List.of(new OneAtATime(), new GridSampler())) {
            Study study =
                    Study.builder(space, Direction.MAXIMIZE).sampler(sampler).build();
            List<Integer> asked = new ArrayList<>();
            for (Optional<Trial> trial = study.ask(); trial.isPresent(); trial = study.ask()) {
                int workers = trial.get().config().numWorkers();
                asked.add(workers);
                study.tell(trial.get(), workers >= 1 ? Outcome.failed("process_limit") : Outcome.value(100));
            }

            for (int index = 1; index < asked.size(); index++) {
                int before = asked.subList(0, index).stream()
                        .filter(workers -> workers >= 1)
                        .min(Integer::compare)
                        .orElse(Integer.MAX_VALUE);
                assertThat(asked.get(index)).as("%s", asked).isLessThanOrEqualTo(before);
            }
            assertThat(asked).contains(0);
        }
    }

    private static long inFlight(LoaderConfig config) {
        return (long) config.batchesInFlight() * config.batchSize();
    }

    private static Observation observation(String config, @Nullable String failure) {
        return new Observation(Ask.first(config(config)), failure == null ? 100.0 : null, failure, 1, 1);
    }

    private static LoaderConfig config(String text) {
        String[] parts = text.split("-", -1);
        return LoaderConfig.of(
                Integer.parseInt(parts[0]),
                Integer.parseInt(parts[1]),
                false,
                Integer.parseInt(parts[2]),
                true,
                parts.length > 3 ? parts[3] : null);
    }
}
