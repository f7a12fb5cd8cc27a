package io.loadertuner.core.study;

import static io.loadertuner.core.study.Settings.config;
import static io.loadertuner.core.study.Settings.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.space.SearchSpace;
import io.loadertuner.core.study.SimulatedMachine.SimulatedStudy;
import io.loadertuner.core.study.sampler.SamplerKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WarmStartTest {

    @Test
    void what_is_not_in_the_space_is_moved_to_the_nearest_that_is() {
        SearchSettings settings = settings()
                .warmStart(
                        LoaderConfig.of(7, 3, true, 100, false, "spawn"),
                        LoaderConfig.of(64, 16, false, 64, true, null),
                        config(8),
                        LoaderConfig.of(0, 2, true, 32, false, null),
                        LoaderConfig.of(70, 9, false, 1, true, null))
                .seed(1);

        // Of 6 and 8 as near to 7, and of 2 and 4 as near to 3, the lower one.
        assertThat(settings.warmStart())
                .containsExactly(config(6), LoaderConfig.of(8, 8, false, 64, true, null), config(8), config(0));
    }

    @ParameterizedTest
    @EnumSource(
            value = SamplerKind.class,
            names = {"RANDOM", "GRID", "GENETIC"})
    void it_is_proposed_first_in_its_order_and_once(SamplerKind kind) {
        SearchSettings settings = settings()
                .warmStart(config(8), config(3), config(2), config(1))
                .infeasible(config -> config.equals(config(3)) ? Optional.of("no") : Optional.empty())
                .seed(1);
        List<Observation> told = new ArrayList<>();
        List<LoaderConfig> proposed = new ArrayList<>();

        while (kind.create().propose(new SamplerView(settings, told, Set.of(), Set.of(config(2))))
                instanceof Proposal.Measure measure) {
            proposed.add(measure.ask().config());
            told.add(new Observation(measure.ask(), 100.0, null, 1, told.size() + 1));
        }

        assertThat(proposed).startsWith(config(8), config(1)).doesNotHaveDuplicates();
        assertThat(proposed).hasSize(settings.space().configs().size() - 2);
    }

    @Test
    void one_at_a_time_starts_from_the_first_that_is_feasible() {
        LoaderConfig deep = LoaderConfig.of(8, 8, false, 64, true, null);
        SearchSettings settings = settings()
                .warmStart(deep, LoaderConfig.of(3, 4, false, 64, true, null))
                .infeasible(config -> config.batchesInFlight() >= 64 ? Optional.of("no memory") : Optional.empty())
                .seed(1);
        SamplerView begin = new SamplerView(settings, List.of(), Set.of(), Set.of());

        Proposal first = new OneAtATime().propose(begin);

        assertThat(first).isInstanceOfSatisfying(Proposal.Measure.class, measure -> {
            Integer prefetch = measure.ask().config().prefetchFactor();
            assertThat(prefetch == null || prefetch == 4).isTrue();
        });
    }

    @Test
    void its_numbers_of_workers_are_on_the_ladder() {
        List<Integer> upTo64 = IntStream.rangeClosed(0, 64).boxed().toList();
        SearchSettings usual = settings().workers(upTo64).cores(16).seed(1);
        SearchSettings warm = settings()
                .workers(upTo64)
                .cores(16)
                .warmStart(config(29), config(23))
                .seed(1);

        assertThat(WorkerSearch.ladder(usual)).doesNotContain(23, 29);
        assertThat(WorkerSearch.ladder(warm))
                .containsAll(WorkerSearch.ladder(usual))
                .contains(23, 29);
    }

    @Test
    void what_only_an_earlier_study_knew_is_found() {
        // 29 workers alone are fast: no ladder would meet them.
        List<Integer> upTo64 = IntStream.rangeClosed(0, 64).boxed().toList();
        SimulatedMachine odd =
                SimulatedMachine.whoseLoaderDelivers(config -> config.numWorkers() == 29 ? 3_000 : 1_000);

        for (SamplerKind kind : SamplerKind.values()) {
            SimulatedStudy study = odd.run(
                    settings().workers(upTo64).cores(32).warmStart(config(29)).seed(1), kind.create(), 1);

            assertThat(Objects.requireNonNull(study.recommendation()).config().numWorkers())
                    .as(kind.code())
                    .isEqualTo(29);
        }
    }

    @Test
    void a_study_takes_it_too() {
        SearchSpace space = new SearchSpace(List.of(0, 1, 2, 3), List.of(2), List.of(false), List.of(64), true, null);
        Study study = Study.builder(space, Direction.MAXIMIZE)
                .sampler(SamplerKind.GRID.create())
                .warmStart(List.of(config(9), config(2)))
                .build();

        assertThat(study.ask().orElseThrow().config()).isEqualTo(config(3));
        assertThat(study.ask().orElseThrow().config()).isEqualTo(config(2));
    }
}
