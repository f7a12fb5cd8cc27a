package io.loadertuner.core.study;

import static io.loadertuner.core.study.Settings.config;
import static io.loadertuner.core.study.Settings.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Recommendation.Kind;
import io.loadertuner.core.study.SimulatedMachine.SimulatedStudy;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * What the search recommends on modelled machines whose truth is known, over many seeds. Differences are threefold and
 * more where one config is to be found, and none at all where the baseline is to be kept.
 */
class OneAtATimeAnswersTest {

    @Test
    void where_nothing_differs_the_baseline_is_kept() {
        SimulatedMachine allAlike = SimulatedMachine.whoseLoaderDelivers(config -> 1_000);

        List<SimulatedStudy> studies =
                run(200, seed -> allAlike.run(settings().baseline(config(4)).seed(seed), seed));

        assertThat(share(studies, found -> found.kind() == Kind.KEPT)).isGreaterThanOrEqualTo(0.975);
        assertThat(studies).allSatisfy(study -> {
            if (recommended(study).kind() == Kind.KEPT) {
                assertThat(recommended(study).config()).isEqualTo(config(4));
                assertThat(recommended(study).reason()).contains("no measurable improvement", "this machine resolves");
            }
        });
    }

    @Test
    void where_nothing_differs_and_more_is_tried_the_baseline_is_kept_as_often() {
        SimulatedMachine allAlike =
                SimulatedMachine.whoseLoaderDelivers(config -> 1_000).withStepTakingIn(5_000);

        List<SimulatedStudy> studies = run(
                40,
                seed -> allAlike.run(
                        settings()
                                .baseline(config(4))
                                .batches(32, 64)
                                .step(allAlike.stepRate())
                                .seed(seed),
                        seed));

        assertThat(share(studies, found -> found.kind() == Kind.KEPT)).isGreaterThanOrEqualTo(0.97);
    }

    @Test
    void a_loader_that_waits_gets_all_the_workers_there_are() {
        SimulatedMachine waiting = SimulatedMachine.whoseLoaderDelivers(perWorker(200));

        List<SimulatedStudy> studies = run(30, seed -> waiting.run(settings().seed(seed), seed));

        assertThat(studies).allSatisfy(study -> {
            assertThat(recommended(study).kind()).isEqualTo(Kind.FASTER);
            assertThat(recommended(study).config()).isEqualTo(config(8));
            assertThat(speedup(study).ratio()).isBetween(5.5, 11.5);
            assertThat(speedup(study).low()).isGreaterThan(3);
        });
    }

    @Test
    void data_in_memory_need_no_workers() {
        SimulatedMachine inMemory =
                SimulatedMachine.whoseLoaderDelivers(config -> config.numWorkers() == 0 ? 50_000 : 10_000);

        List<SimulatedStudy> studies =
                run(30, seed -> inMemory.run(settings().baseline(config(4)).seed(seed), seed));

        assertThat(studies).allSatisfy(study -> {
            assertThat(recommended(study).kind()).isEqualTo(Kind.FASTER);
            assertThat(recommended(study).config()).isEqualTo(config(0));
            assertThat(speedup(study).low()).isGreaterThan(3);
        });
    }

    @Test
    void of_many_workers_that_do_not_help_the_fewest_are_taken() {
        // Two at a time get through, whoever else waits.
        SimulatedMachine semaphore = SimulatedMachine.whoseLoaderDelivers(
                config -> config.numWorkers() == 0 ? 600 : 1_000 * Math.min(2, config.numWorkers()));

        List<SimulatedStudy> studies =
                run(100, seed -> semaphore.run(settings().baseline(config(0)).seed(seed), seed));

        assertThat(studies).allSatisfy(study -> {
            assertThat(recommended(study).kind()).isEqualTo(Kind.FASTER);
            assertThat(recommended(study).config().numWorkers()).isGreaterThanOrEqualTo(2);
        });
        assertThat(share(studies, found -> found.config().equals(config(2)))).isGreaterThanOrEqualTo(0.9);
    }

    @Test
    void a_step_that_is_the_bottleneck_is_fed_with_less() {
        SimulatedMachine stepBound =
                SimulatedMachine.whoseLoaderDelivers(perWorker(3_000)).withStepTakingIn(1_000);

        List<SimulatedStudy> studies = run(
                50,
                seed -> stepBound.run(
                        settings()
                                .baseline(config(4))
                                .step(stepBound.stepRate())
                                .seed(seed),
                        seed));

        assertThat(studies).allSatisfy(study -> {
            assertThat(recommended(study).kind()).isEqualTo(Kind.CHEAPER);
            assertThat(recommended(study).config().numWorkers()).isEqualTo(1);
            assertThat(speedup(study).low()).isGreaterThanOrEqualTo(0.97);
            assertThat(speedup(study).rounds()).isEqualTo(5);
            assertThat(texts(study)).contains("the loader already feeds the step");
        });
    }

    @Test
    void a_step_that_waits_for_data_is_told_so_and_fed() {
        SimulatedMachine starved =
                SimulatedMachine.whoseLoaderDelivers(perWorker(200)).withStepTakingIn(1_000);

        List<SimulatedStudy> studies = run(
                30,
                seed -> starved.run(
                        settings().baseline(config(1)).step(starved.stepRate()).seed(seed), seed));

        assertThat(studies).allSatisfy(study -> {
            assertThat(recommended(study).kind()).isEqualTo(Kind.FASTER);
            assertThat(recommended(study).config().numWorkers()).isBetween(4, 8);
            assertThat(texts(study)).contains("the step waits for data");
        });
    }

    @Test
    void a_deep_queue_is_found_where_the_step_is_uneven() {
        SimulatedMachine uneven = SimulatedMachine.whoseLoaderDelivers(
                        config -> config.batchesInFlight() >= 8 * 8 ? 3_000 : 900)
                .withStepTakingIn(100_000);

        List<SimulatedStudy> studies = run(
                30,
                seed -> uneven.run(
                        settings()
                                .workers(List.of(8))
                                .baseline(config(8))
                                .step(uneven.stepRate())
                                .seed(seed),
                        seed));

        assertThat(studies)
                .allSatisfy(study -> assertThat(recommended(study).config())
                        .isEqualTo(LoaderConfig.of(8, 8, false, 64, true, null)));
    }

    @Test
    void pinning_is_found_where_it_helps() {
        SimulatedMachine copying = SimulatedMachine.whoseLoaderDelivers(config -> config.pinMemory() ? 3_000 : 1_000);

        List<SimulatedStudy> studies = run(
                30,
                seed -> copying.run(
                        settings()
                                .workers(List.of(4))
                                .pinning(false, true)
                                .baseline(config(4))
                                .seed(seed),
                        seed));

        assertThat(studies)
                .allSatisfy(study ->
                        assertThat(recommended(study).config().pinMemory()).isTrue());
    }

    @Test
    void workers_and_batch_size_are_found_together() {
        // Without workers a small batch stays in the cache; with them the batch does not matter.
        SimulatedMachine caching = SimulatedMachine.whoseLoaderDelivers(config -> config.numWorkers() > 0
                ? 1_000 * Math.min(2, config.numWorkers())
                : config.batchSize() <= 32 ? 6_500 : 1_000);

        List<SimulatedStudy> studies = run(
                30,
                seed -> caching.run(
                        settings().baseline(config(2)).batches(32, 64).seed(seed), seed));

        assertThat(share(studies, found -> found.config().equals(config(0, 32))))
                .isGreaterThanOrEqualTo(0.95);
        assertThat(studies)
                .allSatisfy(study ->
                        assertThat(recommended(study).config().numWorkers()).isIn(0, 2));
    }

    @Test
    void the_batch_size_is_not_changed_for_the_sake_of_a_tie() {
        SimulatedMachine waiting = SimulatedMachine.whoseLoaderDelivers(perWorker(1_000));

        List<SimulatedStudy> studies = run(
                100,
                seed -> waiting.run(
                        settings().baseline(config(1)).batches(16, 32, 64).seed(seed), seed));

        assertThat(share(studies, found -> found.config().equals(config(8)))).isGreaterThanOrEqualTo(0.95);
        assertThat(studies)
                .allSatisfy(study ->
                        assertThat(recommended(study).config().numWorkers()).isGreaterThanOrEqualTo(6));
    }

    @Test
    void where_batches_cost_more_than_samples_a_short_study_finds_it_too() {
        // Whoever hands a batch over takes 1 ms for it, and two workers hand over twice as many, more do not.
        SimulatedMachine handingOver = SimulatedMachine.whoseLoaderDelivers(
                config -> 1_000 * config.batchSize() * Math.max(1, Math.min(2, config.numWorkers())));

        List<SimulatedStudy> studies = run(
                30,
                seed -> handingOver.run(
                        settings()
                                .baseline(config(0, 16))
                                .batches(16, 32, 64, 128)
                                .budget(50, 60)
                                .seed(seed),
                        seed));

        assertThat(studies)
                .allSatisfy(study ->
                        assertThat(recommended(study).config().batchSize()).isEqualTo(128));
    }

    @Test
    void where_the_batch_size_matters_little_the_workers_are_searched_at_the_baselines() {
        SimulatedMachine waiting = SimulatedMachine.whoseLoaderDelivers(perWorker(200));

        List<SimulatedStudy> studies = run(
                30,
                seed -> waiting.run(
                        settings().baseline(config(0)).batches(64, 128, 256).seed(seed), seed));

        assertThat(studies)
                .filteredOn(study -> atOtherBatchSizes(study).equals(List.of(config(8, 256))))
                .hasSizeGreaterThanOrEqualTo(27);
    }

    private static List<LoaderConfig> atOtherBatchSizes(SimulatedStudy study) {
        return study.history().stream()
                .map(Observation::ask)
                .filter(ask -> ask.phase() == Phase.WORKERS && ask.config().batchSize() != 64)
                .map(Ask::config)
                .toList();
    }

    @Test
    void many_cores_are_searched_in_few_trials() {
        List<Integer> upTo256 = IntStream.rangeClosed(0, 256).boxed().toList();
        SimulatedMachine large =
                SimulatedMachine.whoseLoaderDelivers(config -> 200 * Math.max(1, Math.min(64, config.numWorkers())));

        List<SimulatedStudy> studies = run(
                10,
                seed -> large.run(
                        settings()
                                .workers(upTo256)
                                .cores(64)
                                .baseline(config(4))
                                .seed(seed),
                        seed));

        assertThat(studies).allSatisfy(study -> {
            assertThat(study.asks().stream()
                            .filter(ask -> ask.phase() == Phase.WORKERS)
                            .map(Ask::config)
                            .collect(Collectors.toSet()))
                    .hasSizeLessThan(20);
            assertThat(recommended(study).config().numWorkers()).isGreaterThanOrEqualTo(48);
        });
    }

    @Test
    void what_beats_the_others_only_in_rounds_that_they_share_leads() {
        // The baseline's many rounds must not decide between two others that were raced against each other.
        SimulatedMachine steady =
                SimulatedMachine.whoseLoaderDelivers(perWorker(200)).withNoise(0.07, 0.5);

        List<SimulatedStudy> studies = run(
                50,
                seed -> steady.run(
                        settings().workers(List.of(1, 3, 8)).baseline(config(1)).seed(seed), seed));

        assertThat(share(studies, found -> found.config().equals(config(8)))).isGreaterThanOrEqualTo(0.95);
    }

    private static ToDoubleFunction<LoaderConfig> perWorker(double samplesPerSecond) {
        return config -> samplesPerSecond * Math.max(1, config.numWorkers());
    }

    private static List<SimulatedStudy> run(int seeds, LongFunction<SimulatedStudy> study) {
        return LongStream.range(0, seeds).parallel().mapToObj(study).toList();
    }

    private static double share(List<SimulatedStudy> studies, Function<Recommendation, Boolean> condition) {
        return studies.stream()
                        .filter(study -> condition.apply(recommended(study)))
                        .count()
                / (double) studies.size();
    }

    private static Recommendation recommended(SimulatedStudy study) {
        Recommendation recommendation = study.recommendation();
        assertThat(recommendation).isNotNull();
        return Objects.requireNonNull(recommendation);
    }

    private static Ratio speedup(SimulatedStudy study) {
        return Objects.requireNonNull(recommended(study).speedup());
    }

    private static String texts(SimulatedStudy study) {
        return study.end().explanation().stream().map(Explanation::text).collect(Collectors.joining("\n"));
    }
}
