package io.loadertuner.service.recommendation;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.machine.Gpu;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.measure.Throughput;
import io.loadertuner.core.space.LoaderConfig;
import io.loadertuner.core.study.Recommendation.Kind;
import io.loadertuner.core.tuning.StudyReport.Recommended;
import io.loadertuner.service.recommendation.RecommendationAnswer.Status;
import io.loadertuner.service.recommendation.RecommendationAnswer.Tuning;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NearestTest {
    private static final String H200 = "NVIDIA H200";
    private static final Map<String, Machine> MACHINES = Map.of(
            "four", machine(4),
            "sixteen", machine(16),
            "gpu", machine(16, H200));

    @Test
    void theRatioOfCoresDecides() {
        assertThat(nearest(machine(6), known("four"), known("sixteen"))).isEqualTo("four");
        // 4 to 9 is a ratio of 2.25, 9 to 16 one of 1.78.
        assertThat(nearest(machine(9), known("four"), known("sixteen"))).isEqualTo("sixteen");
    }

    @Test
    void anotherGpuCountsLikeARatioOfTwo() {
        assertThat(nearest(machine(9, H200), known("gpu"), known("sixteen"))).isEqualTo("gpu");
        assertThat(nearest(machine(9), known("gpu"), known("sixteen"))).isEqualTo("sixteen");
        // 1.78 times 2 is more than 2.25.
        assertThat(nearest(machine(9), known("gpu"), known("four"))).isEqualTo("four");
    }

    @Test
    void anotherVersionCountsLikeARatioOfAQuarter() {
        StoredRecommendation otherVersion = known("sixteen", "2", 1, 8);

        // 16 to 15 times 1.25 is 1.33, 4 to 15 is 3.75.
        assertThat(nearest(machine(15), otherVersion, known("four"))).isEqualTo("sixteen");
        // 16 to 9 times 1.25 is 2.22, less than 2.25.
        assertThat(nearest(machine(9), otherVersion, known("four"))).isEqualTo("sixteen");
        // 16 to 8 times 1.25 is 2.5, 4 to 8 is 2.
        assertThat(nearest(machine(8), otherVersion, known("four"))).isEqualTo("four");
    }

    @Test
    void ofEquallyNearOnesTheNewestCounts() {
        StoredRecommendation newest = known("four", "1", 1, 3);
        StoredRecommendation older = known("four", "1", 1, 5);

        RecommendationAnswer answer = answer(machine(4), 1, newest, older);

        assertThat(answer.config().numWorkers()).isEqualTo(3);
    }

    @Test
    void aMachineTypeThatIsNotKnownIsNoMeasure() {
        assertThat(new Nearest(query(1), machine(4), type -> Optional.empty()).of(List.of(known("four"))))
                .isEmpty();
    }

    @Test
    void workersAreScaledToTheCoresOfARankAndNoRateIsToldThatWasNotMeasured() {
        RecommendationAnswer answer = answer(machine(16), 2, known("four", "1", 1, 3));

        // 8 cores for each of two ranks, and 4 there.
        assertThat(answer.status()).isEqualTo(Status.SIMILAR);
        assertThat(answer.config().numWorkers()).isEqualTo(6);
        assertThat(answer.config().prefetchFactor()).isEqualTo(4);
        assertThat(answer.config().batchSize()).isEqualTo(64);
        assertThat(answer.throughput()).isNull();
        assertThat(answer.speedup()).isNull();
        assertThat(answer.machineType()).isEqualTo("four");
        assertThat(answer.reason())
                .isEqualTo(
                        "Not measured as asked, but on machine type four for version 1 with one rank: it was the fastest."
                                + " Its 3 workers are scaled to 6: a rank has 8 usable cores here and had 4 there.");
    }

    @Test
    void aConfigThatFitsAsItIsKeepsItsRate() {
        RecommendationAnswer answer = answer(machine(4), 1, known("four", "2", 1, 3));

        assertThat(answer.config()).isEqualTo(config(3));
        assertThat(answer.throughput()).isEqualTo(new Throughput(100, 90.0, 110.0, 5));
        assertThat(answer.version()).isEqualTo("2");
        assertThat(answer.reason()).doesNotContain("scaled");
    }

    @Test
    void someWorkersNeverBecomeNoneAndNoneNeverSome() {
        assertThat(answer(machine(1), 4, known("sixteen", "1", 1, 2)).config().numWorkers())
                .isEqualTo(1);
        assertThat(answer(machine(64), 1, known("four", "1", 1, 0)).config().numWorkers())
                .isZero();
        Machine vast = new Machine("host", "cpu", 4096, null, 1L << 50, 1L << 33, 1L << 33, List.of());
        assertThat(answer(vast, 1, known("four", "1", 1, 8)).config().numWorkers())
                .isEqualTo(LoaderConfig.MAX_WORKERS);
    }

    @Test
    void moreWorkersThanMeasuredNeedAGibibyteEach() {
        Machine tight = new Machine("host", "cpu", 64, null, 12L << 30, 1L << 33, 1L << 33, List.of());

        assertThat(answer(tight, 1, known("four", "1", 1, 8)).config().numWorkers())
                .isEqualTo(12);
        assertThat(answer(tight, 1, known("four", "1", 1, 14)).config().numWorkers())
                .isEqualTo(14);
    }

    @Test
    void memoryIsPinnedWhereThereIsAGpuUnlessItWasMeasuredToBeWorse() {
        assertThat(answer(machine(4, H200), 1, known("four")).config().pinMemory())
                .isTrue();
        assertThat(answer(machine(16, "NVIDIA A100"), 1, known("gpu")).config().pinMemory())
                .isFalse();
    }

    @Test
    void whatACallerSaysTellsMachinesApart() {
        Machine here = machine(16, H200);

        assertThat(new Trainer(1, null, null, null, null).mayBe(here)).isTrue();
        assertThat(new Trainer(1, 13.0, 1L, "nvidia h200 ", null).mayBe(here)).isTrue();
        assertThat(new Trainer(1, 12.0, null, null, null).mayBe(here)).isFalse();
        assertThat(new Trainer(1, 21.0, null, null, null).mayBe(here)).isFalse();
        assertThat(new Trainer(1, null, null, "NVIDIA A100", null).mayBe(here)).isFalse();
        assertThat(new Trainer(1, null, null, "", null).mayBe(here)).isFalse();
        assertThat(new Trainer(1, null, null, "", null).mayBe(machine(16))).isTrue();
    }

    private static Query query(int ranks) {
        return new Query("photos", "1", "pytorch", "asked", new Trainer(ranks, null, null, null, null), null);
    }

    private static String nearest(Machine asked, StoredRecommendation... known) {
        return answer(asked, 1, known).machineType();
    }

    private static RecommendationAnswer answer(Machine asked, int ranks, StoredRecommendation... known) {
        return new Nearest(query(ranks), asked, type -> Optional.ofNullable(MACHINES.get(type)))
                .of(List.of(known))
                .orElseThrow()
                .answer(false, "", Tuning.NONE);
    }

    private static StoredRecommendation known(String machineType) {
        return known(machineType, "1", 1, 8);
    }

    private static StoredRecommendation known(String machineType, String version, int ranks, int workers) {
        Recommended recommended = new Recommended(
                "id",
                1,
                Kind.FASTER,
                config(workers),
                new Throughput(100, 90.0, 110.0, 5),
                null,
                "it was the fastest",
                null);
        return new StoredRecommendation(
                "id",
                "study",
                version,
                machineType,
                ranks,
                "cpu",
                "2.13.0",
                recommended,
                null,
                Instant.EPOCH,
                null,
                null,
                "{\"name\": \"photos\", \"source\": {\"kind\": \"synthetic\", \"samples\": 10}}");
    }

    private static LoaderConfig config(int workers) {
        return LoaderConfig.of(workers, 4, false, 64, true, null);
    }

    private static Machine machine(int cores, String... gpus) {
        return new Machine(
                "host",
                "cpu",
                cores,
                null,
                1L << 36,
                1L << 33,
                1L << 33,
                List.of(gpus).stream().map(name -> new Gpu(name, 0, null)).toList());
    }
}
