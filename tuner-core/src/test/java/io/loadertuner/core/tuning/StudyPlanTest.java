package io.loadertuner.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.loader.LoaderFacts;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Phase;
import io.loadertuner.core.study.SearchSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is searched where the request names no space. */
@NullUnmarked // an unexpected null fails the test where it is met
class StudyPlanTest {
    private static final long MIB = 1 << 20;

    /** The quota is in cores, the length in samples; no quota, no batch size of a baseline and no length where empty. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // cores | quota | ranks | device | baseline's batch | length || most workers | pinning | batch sizes
                "  2 | -   | 1 | cpu    | -  | 1000 |    8 | false      | 32,64,128,256",
                "  2 | -   | 1 | cuda:0 | -  | 1000 |    8 | false,true | 32,64,128,256",
                "  1 | -   | 1 | cpu    | -  | 1000 |    4 | false      | 32,64,128,256",
                "  4 | 2.5 | 1 | cpu    | -  | 1000 |   10 | false      | 32,64,128,256",
                "  4 | 0.2 | 1 | cpu    | -  | 1000 |    1 | false      | 32,64,128,256",
                " 64 | -   | 1 | cuda:0 | -  | 1000 |  256 | false,true | 32,64,128,256",
                "512 | -   | 1 | cuda:0 | -  | 1000 | 1024 | false,true | 32,64,128,256",
                // Workers are per rank, and so is the share of the data.
                "  8 | -   | 2 | cuda:0 | -  | 1000 |   16 | false,true | 32,64,128,256",
                "  8 | -   | 3 | cuda:0 | -  | 1000 |   10 | false,true | 32,64,128,256",
                "  8 | -   | 2 | cuda:0 | -  |  400 |   16 | false,true | 32,64,128",
                "  2 | -   | 1 | cpu    | -  |  100 |    8 | false      | 32,64",
                "  2 | -   | 1 | cpu    | -  | -    |    8 | false      | 32,64,128,256",
                // A batch size that the user has is not varied.
                "  2 | -   | 1 | cpu    | 48 | 1000 |    8 | false      | 48",
                "  8 | -   | 2 | cuda:0 | 96 | 1000 |   16 | false,true | 96",
            })
    void the_default_space(
            int cores,
            Double quota,
            int ranks,
            String device,
            Integer batch,
            Long length,
            int mostWorkers,
            String pinning,
            String batchSizes) {
        Machine machine = new Machine("host", "cpu", cores, quota, 1L << 40, 1L << 40, 1L << 40, List.of());
        String baseline = batch == null ? "" : ", \"baseline\": {\"batch_size\": " + batch + "}";

        SearchSettings settings =
                settings("\"ranks\": " + ranks + baseline, machine, facts(device, length, 100, false));

        assertThat(settings.space().numWorkers())
                .isEqualTo(IntStream.rangeClosed(0, mostWorkers).boxed().toList());
        assertThat(settings.space().prefetchFactor()).containsExactly(1, 2, 4, 8);
        assertThat(settings.space().pinMemory())
                .isEqualTo(
                        Arrays.stream(pinning.split(",")).map(Boolean::valueOf).toList());
        assertThat(settings.space().batchSize())
                .isEqualTo(Arrays.stream(batchSizes.split(","))
                        .map(Integer::valueOf)
                        .toList());
        assertThat(settings.baseline()).isEqualTo(LoaderConfig.of(0, 2, false, batch == null ? 32 : batch, true, null));
        assertThat(settings.usableCores()).isEqualTo((quota == null ? cores : quota) / ranks);
    }

    @Test
    void pinning_is_the_baselines_without_cuda_and_none_where_samples_lie_on_the_gpu() {
        Machine machine = new Machine("host", "cpu", 2, null, 1L << 40, 1L << 40, 1L << 40, List.of());
        String pinned = "\"baseline\": {\"pin_memory\": true}";

        assertThat(settings(pinned, machine, facts("cpu", 1000L, 100, false))
                        .space()
                        .pinMemory())
                .containsExactly(true);
        assertThat(settings(pinned, machine, facts("cuda:0", 1000L, 100, true))
                        .space()
                        .pinMemory())
                .containsExactly(false);
    }

    /** One sample is 1 MiB; 128 MiB are free in shared memory, and the machine has 255 MiB. */
    @Test
    void what_does_not_fit_into_memory_is_not_tried() {
        Machine machine = new Machine("host", "cpu", 2, null, 255 * MIB, 1L << 40, 128 * MIB, List.of());

        SearchSettings settings = settings("\"ranks\": 1", machine, facts("cpu", 1000L, MIB, false));

        // A full queue holds workers x prefetch batches: 4 of 32 MiB, 2 of 64 MiB, one of 128 MiB. The step holds one
        // more: with one of 128 MiB in the queue that is 256 MiB, as is the single batch of 256 without workers.
        assertThat(settings.space().configs())
                .filteredOn(config -> settings.infeasible().apply(config).isEmpty())
                .extracting(config -> config.numWorkers() + "/" + config.prefetchFactor() + "/" + config.batchSize())
                .containsExactlyInAnyOrder(
                        "0/null/32",
                        "1/1/32",
                        "2/1/32",
                        "3/1/32",
                        "4/1/32",
                        "1/2/32",
                        "2/2/32",
                        "1/4/32",
                        "0/null/64",
                        "1/1/64",
                        "2/1/64",
                        "1/2/64",
                        "0/null/128");
    }

    /** Each of two ranks has a queue of its own in the same memory. */
    @Test
    void ranks_share_the_memory() {
        Machine machine = new Machine("host", "cpu", 4, null, 1L << 40, 1L << 40, 128 * MIB, List.of());

        SearchSettings settings = settings("\"ranks\": 2", machine, facts("cpu", 1000L, MIB, false));

        // 64 MiB for each: two batches of 32 or one of 64.
        assertThat(settings.space().configs())
                .filteredOn(config -> config.numWorkers() > 0
                        && settings.infeasible().apply(config).isEmpty())
                .extracting(config -> config.numWorkers() + "/" + config.prefetchFactor() + "/" + config.batchSize())
                .containsExactlyInAnyOrder("1/1/32", "2/1/32", "1/2/32", "1/1/64");
    }

    @Test
    void beside_many_prefetch_factors_fewer_numbers_of_workers_are_chosen() {
        Machine machine = new Machine("host", "cpu", 64, null, 1L << 40, 1L << 40, 1L << 40, List.of());

        SearchSettings settings = settings(
                "\"space\": {\"prefetch_factor\": {\"min\": 1, \"max\": 1024}}",
                machine,
                facts("cuda:0", 1000L, 100, false));

        // 1,024 prefetch factors, two ways of pinning, four batch sizes: twelve times that is below 100,000.
        assertThat(settings.space().numWorkers()).containsExactly(0, 22, 44, 66, 88, 110, 132, 154, 176, 198, 220, 242);
    }

    @Test
    void settings_are_varied_in_the_order_of_their_effect_and_batch_size_last() throws Exception {
        CalculatedLoader loader = new CalculatedLoader(config ->
                100.0 * Math.min(4, Math.max(1, config.numWorkers())) * (config.batchSize() == 128 ? 1.2 : 1));
        loader.device = "cuda:0";
        MemoryJournal journal = new MemoryJournal();
        StudyRequest request = request("\"step\": {\"milliseconds\": 10}, \"budget\": {\"seconds\": 3000}");
        Machine machine = new Machine("host", "cpu", 2, null, 1L << 40, 1L << 40, 1L << 40, List.of());

        new Tuner(loader, () -> machine, loader)
                .run("6f1d0a52-0001-4000-8000-000000000002", request, journal, TuningListener.NONE);

        List<Measured> measured = new ArrayList<>();
        journal.trials()
                .forEach(trial -> trial.rounds()
                        .forEach(round ->
                                measured.add(new Measured(round.elapsedSeconds(), round.phase(), trial.config()))));
        measured.sort(Comparator.comparingDouble(Measured::seconds));
        assertThat(measured.stream().map(Measured::phase).distinct())
                .startsWith(
                        Phase.BASELINE,
                        Phase.LOADER_ALONE,
                        Phase.WORKERS,
                        Phase.PREFETCH_FACTOR,
                        Phase.PIN_MEMORY,
                        Phase.BATCH_SIZE)
                .endsWith(Phase.CONFIRM);
        assertThat(measured.stream().takeWhile(each -> each.phase() != Phase.PREFETCH_FACTOR))
                .extracting(Measured::config)
                .allMatch(config -> config.numWorkers() == 0 || config.prefetchFactor() == 2);
        assertThat(measured.stream().takeWhile(each -> each.phase() != Phase.PIN_MEMORY))
                .noneMatch(each -> each.config().pinMemory());
        assertThat(measured.stream()
                        .takeWhile(each -> each.phase() != Phase.BATCH_SIZE)
                        .map(Measured::config)
                        .filter(config -> config.batchSize() != 32))
                .as("but for one look at the largest")
                .containsExactly(LoaderConfig.of(2, 2, false, 256, true, null));
        assertThat(measured.stream().filter(each -> each.phase() == Phase.BATCH_SIZE))
                .extracting(each -> each.config().batchSize())
                .contains(32, 64, 128, 256);
        assertThat(journal.report().orElseThrow().recommendation().config().batchSize())
                .isEqualTo(128);
    }

    private record Measured(double seconds, Phase phase, LoaderConfig config) {}

    private static SearchSettings settings(String fields, Machine machine, LoaderFacts facts) {
        StudyRequest request = request(fields);
        Preparation found = new Preparation(
                machine, "type", facts, request.descriptor().ranks(), null, 1, 0, List.of(), List.of(), null);
        return StudyPlan.settings(request, found);
    }

    private static StudyRequest request(String fields) {
        return TunerJson.mapper()
                .readValue(
                        "{\"name\": \"a\", \"source\": {\"kind\": \"synthetic\", \"samples\": 1000}, " + fields + "}",
                        StudyRequest.class);
    }

    private static LoaderFacts facts(String device, Long length, long sampleBytes, boolean samplesOnGpu) {
        return new LoaderFacts(
                device,
                null,
                null,
                null,
                "fork",
                "map",
                length,
                List.of(),
                sampleBytes,
                32 * sampleBytes,
                32,
                0.001,
                0.1,
                false,
                null,
                samplesOnGpu,
                null,
                null,
                null);
    }
}
