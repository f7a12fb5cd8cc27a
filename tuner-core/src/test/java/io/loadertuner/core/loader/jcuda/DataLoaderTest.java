package io.loadertuner.core.loader.jcuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loadertuner.core.space.InvalidFieldException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class DataLoaderTest {

    /** A sample as it came. */
    private record Seen(long epoch, int index, long number, long seed, long label) {}

    private static List<List<Seen>> batches(DataLoader loader) {
        List<List<Seen>> batches = new ArrayList<>();
        for (Batch batch : loader) {
            List<Seen> samples = new ArrayList<>();
            for (int sample = 0; sample < batch.samples(); sample++) {
                samples.add(new Seen(
                        batch.epoch(),
                        batch.index(sample),
                        batch.data().getLong(sample * 16),
                        batch.data().getLong(sample * 16 + 8),
                        batch.label(sample)));
            }
            assertThat(batch.data().limit()).isEqualTo(16 * batch.samples());
            batches.add(samples);
        }
        return batches;
    }

    private static List<Seen> samples(DataLoader.Builder settings) {
        try (DataLoader loader = settings.build()) {
            return batches(loader).stream().flatMap(List::stream).toList();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 2, 1", "0, 2, 7", "1, 1, 7", "2, 2, 8", "3, 1, 1", "3, 4, 16", "5, 2, 100", "8, 8, 1000", "2, 3, 97"
    })
    void everySampleComesOnceAnEpochInTheSameOrderWhateverTheSettings(int workers, int prefetch, int batchSize) {
        NumberedSource source = new NumberedSource(97);
        List<Seen> expected = samples(DataLoader.builder(source).seed(11).epochs(3));

        List<Seen> seen = samples(DataLoader.builder(source)
                .seed(11)
                .epochs(3)
                .numWorkers(workers)
                .prefetchFactor(prefetch)
                .batchSize(batchSize));

        assertThat(seen).isEqualTo(expected);
        for (long epoch = 0; epoch < 3; epoch++) {
            long one = epoch;
            assertThat(seen.stream()
                            .filter(sample -> sample.epoch() == one)
                            .map(Seen::index)
                            .toList())
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, 97).boxed().toList());
        }
        assertThat(seen).allMatch(sample -> sample.number() == sample.index() && sample.label() == sample.index() % 10);
    }

    @Test
    void epochsAndSeedsHaveOrdersAndSampleSeedsOfTheirOwn() {
        NumberedSource source = new NumberedSource(50);

        List<Seen> first = samples(DataLoader.builder(source).seed(1).epochs(2));
        List<Seen> other = samples(DataLoader.builder(source).seed(2));

        List<Integer> one = first.subList(0, 50).stream().map(Seen::index).toList();
        List<Integer> two = first.subList(50, 100).stream().map(Seen::index).toList();
        assertThat(one)
                .isNotEqualTo(two)
                .isNotEqualTo(other.stream().map(Seen::index).toList());
        assertThat(one).isNotEqualTo(IntStream.range(0, 50).boxed().toList());
        Set<Long> seeds = new HashSet<>();
        first.forEach(sample -> seeds.add(sample.seed()));
        assertThat(seeds).hasSize(100);
    }

    @ParameterizedTest
    @CsvSource({
        "10, 4, false, 3",
        "10, 4, true, 2",
        "8, 4, true, 2",
        "3, 4, false, 1",
        "3, 4, true, 0",
        "0, 4, false, 0"
    })
    void theLastBatchIsShortOrLeftOut(int length, int batchSize, boolean dropLast, int expected) {
        for (int workers : new int[] {0, 2}) {
            try (DataLoader loader = DataLoader.builder(new NumberedSource(length))
                    .batchSize(batchSize)
                    .numWorkers(workers)
                    .dropLast(dropLast)
                    .epochs(2)
                    .build()) {
                assertThat(loader.batchesPerEpoch()).isEqualTo(expected);
                List<List<Seen>> batches = batches(loader);
                assertThat(batches).hasSize(2 * expected);
                if (dropLast) {
                    assertThat(batches).allMatch(batch -> batch.size() == batchSize);
                }
                assertThatThrownBy(loader::take).isInstanceOf(NoSuchElementException.class);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "3"})
    void aCorruptSampleEndsLoadingWithItsNameOrIsSkipped(int workers) throws InterruptedException {
        NumberedSource source = new NumberedSource(40, 17);
        try (DataLoader failing =
                DataLoader.builder(source).batchSize(4).numWorkers(workers).build()) {
            assertThatThrownBy(() -> batches(failing))
                    .isInstanceOf(LoadingException.class)
                    .hasMessage("sample 17 is corrupt");
            assertThatThrownBy(failing::take).isInstanceOf(LoadingException.class);
        }
        try (DataLoader skipping = DataLoader.builder(source)
                .batchSize(4)
                .numWorkers(workers)
                .onCorrupt(OnCorrupt.SKIP)
                .build()) {
            List<List<Seen>> batches = batches(skipping);

            assertThat(batches).hasSize(10);
            assertThat(batches.stream().filter(batch -> batch.size() == 3)).hasSize(1);
            assertThat(batches.stream().flatMap(List::stream).map(Seen::index))
                    .hasSize(39)
                    .doesNotContain(17);
            assertThat(skipping.skipped()).containsExactly("sample 17 is corrupt");
        }
    }

    @Test
    void workersAreAheadByWhatTheyMayBeAndNoMore() throws InterruptedException {
        CountingSource source = new CountingSource(1000);
        try (DataLoader loader = DataLoader.builder(source)
                .batchSize(2)
                .numWorkers(3)
                .prefetchFactor(2)
                .build()) {
            loader.take();

            // Each of three workers has three batches in its ring, one of them with the reader or still free for it.
            source.awaitExactly(3 * 3 * 2);
        }
    }

    @Test
    void closingEndsItsThreadsInTheMiddleOfLoading() throws InterruptedException {
        CountingSource source = new CountingSource(1_000_000);
        DataLoader loader =
                DataLoader.builder(source).batchSize(8).numWorkers(4).build();
        loader.take();
        Set<Thread> threads = source.threads();

        loader.close();

        assertThat(threads).isNotEmpty().noneMatch(Thread::isAlive);
        assertThatThrownBy(loader::take).isInstanceOf(IllegalStateException.class);
        loader.close();
    }

    @Test
    void whoIsInterruptedWhileWaitingIsTold() throws InterruptedException {
        CountingSource source = new CountingSource(100);
        source.hold();
        try (DataLoader loader =
                DataLoader.builder(source).batchSize(1).numWorkers(1).build()) {
            Thread.currentThread().interrupt();

            assertThatThrownBy(loader::take).isInstanceOf(InterruptedException.class);
            source.letGo();
        }
    }

    @Test
    void theMemoryOfBatchesIsUsedAgain() throws InterruptedException {
        try (DataLoader loader = DataLoader.builder(new NumberedSource(1000))
                .numWorkers(2)
                .prefetchFactor(3)
                .epochs(2)
                .build()) {
            Set<Integer> memories = new HashSet<>();
            for (Batch batch : loader) {
                memories.add(System.identityHashCode(batch.data()));
            }

            assertThat(memories).hasSizeLessThanOrEqualTo(2 * (3 + 1));
        }
    }

    @Test
    void whatMakesNoSenseIsRefusedByName() {
        DataLoader.Builder settings = DataLoader.builder(new NumberedSource(5));

        assertThat(IntStream.of(-1, 1025)
                        .mapToObj(workers -> refused(() -> settings.numWorkers(workers)))
                        .collect(Collectors.toSet()))
                .containsExactly("num_workers");
        assertThat(refused(() -> settings.batchSize(0))).isEqualTo("batch_size");
        assertThat(refused(() -> settings.prefetchFactor(0))).isEqualTo("prefetch_factor");
        assertThat(refused(() -> settings.epochs(0))).isEqualTo("epochs");
    }

    private static String refused(Runnable setting) {
        try {
            setting.run();
        } catch (InvalidFieldException refused) {
            return refused.field();
        }
        throw new AssertionError("it was taken");
    }
}
