package io.loadertuner.core.loader.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.loader.truth.Deliveries.Batch;
import io.loadertuner.core.loader.truth.Deliveries.Leaf;
import io.loadertuner.core.loader.truth.TruthCheck.Kind;
import io.loadertuner.core.space.LoaderConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** Deliveries made up by hand: what is said of them is known. */
class TruthCheckTest {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Duration AT_MOST = Duration.ofSeconds(1);
    private static final LoaderConfig ONE = LoaderConfig.of(1, 2, false, 8, true, null);
    private static final LoaderConfig TWO = LoaderConfig.of(2, 2, false, 8, true, null);

    private final List<LoaderConfig> read = new ArrayList<>();

    @Test
    void withoutWorkersThereIsNothingToCompare() throws Exception {
        TruthCheck check = check(Kind.INDEXED, (config, request) -> {
            throw new AssertionError("nothing is read");
        });

        assertThat(check.check(LoaderConfig.of(0, 2, false, 8, false, null), AT_MOST))
                .isEmpty();
    }

    @Test
    void whatAgreesIsReadOnceUnderEachConfigAndTwiceWithoutWorkers() throws Exception {
        TruthCheck check = check(Kind.INDEXED, (config, request) -> indexed(16, index -> "content " + index));

        assertThat(check.check(ONE, AT_MOST)).isEmpty();
        assertThat(check.check(TWO, AT_MOST)).isEmpty();

        assertThat(read.stream().map(LoaderConfig::numWorkers)).containsExactly(0, 0, 1, 2);
    }

    @Test
    void aWrongSampleIsNamedByItsIndex() {
        TruthCheck check = check(
                Kind.INDEXED,
                (config, request) ->
                        indexed(16, index -> index == 6 && config.numWorkers() > 1 ? "torn" : "content " + index));

        TrialFailure failure = wrong(check, TWO);

        assertThat(failure.message())
                .isEqualTo(
                        "2 workers, prefetch 2, batch 8: 1 of 16 samples are not what 0 workers read, sample 6 among them");
        assertThat(failure.details())
                .containsEntry("indices", List.of(JSON.numberNode(6)))
                .containsEntry("wrong_samples", 1)
                .containsEntry("compared_samples", 16L)
                .containsEntry(
                        "examples",
                        List.of(Map.of(
                                "indices",
                                List.of(JSON.numberNode(6)),
                                "part",
                                "image",
                                "expected",
                                List.of("content 4", "content 5", "content 6", "content 7"),
                                "found",
                                List.of("content 4", "content 5", "torn", "content 7"))));
        assertThat(failure.advice()).contains("not in __init__");
    }

    @Test
    void randomAugmentationIsLeftOutAndTheLabelStillCompared() throws Exception {
        Random random = new Random(1);
        DeliveryReader augmented = (config, request) -> indexed(16, index -> "noise " + random.nextInt());
        assertThat(check(Kind.INDEXED, augmented).check(TWO, AT_MOST)).isEmpty();

        TruthCheck wrongLabels = check(
                Kind.INDEXED,
                (config, request) -> indexed(
                        16, index -> "noise " + random.nextInt(), index -> config.numWorkers() > 1 ? "1" : "0"));
        assertThat(wrong(wrongLabels, TWO).details()).containsEntry("wrong_samples", 16);
    }

    @Test
    void randomnessThatIsTooRareForTwoReadingsIsFoundBeforeAnythingIsCalledWrong() throws Exception {
        // The third reading is the config's own: it meets the rare case, and so does one reading in doubt.
        TruthCheck check = check(
                Kind.INDEXED,
                (config, request) -> indexed(16, index -> index == 3 && read.size() % 3 == 0 ? "rare" : "usual"));

        assertThat(check.check(TWO, AT_MOST)).isEmpty();
        assertThat(read).hasSizeGreaterThan(3);
    }

    @Test
    void randomnessOfAWorkersOwnSeedIsNoCorruption() throws Exception {
        TruthCheck check = check(
                Kind.INDEXED,
                (config, request) ->
                        indexed(16, index -> config.numWorkers() == 0 ? "0" : "seeded by " + request.workerSeed()));

        assertThat(check.check(TWO, AT_MOST)).isEmpty();
    }

    @Test
    void randomNumbersThatAreDrawnOnceAndKeptAreNoCorruption() throws Exception {
        // Whoever reads first draws; the same process has the same ever after.
        IntFunction<String> backwards = index -> "drawn backwards for " + index;
        DeliveryReader kept = (config, request) -> indexed(
                16,
                request.afresh()
                        ? backwards
                        : index -> "drawn by the first of " + Math.max(1, config.numWorkers()) + " for " + index);
        assertThat(check(Kind.INDEXED, kept).check(TWO, AT_MOST)).isEmpty();

        TruthCheck wrongLabels = check(
                Kind.INDEXED,
                (config, request) -> indexed(
                        16,
                        request.afresh() ? backwards : index -> config.numWorkers() + " drew for " + index,
                        index -> config.numWorkers() > 1 ? "1" : "0"));
        assertThat(wrong(wrongLabels, TWO).details()).containsEntry("wrong_samples", 16);
    }

    @Test
    void samplesOfOthersAreCorruptionThoughTheOrderOfReadingDecidesWhose() {
        // Whatever is asked for, the next one is delivered; of two workers each begins with the first.
        TruthCheck check = check(
                Kind.INDEXED,
                (config, request) -> indexed(16, index -> {
                    int batch = index / 4;
                    int turn = request.afresh() ? 3 - batch : config.numWorkers() > 1 ? batch / 2 : batch;
                    return "content " + (4 * turn + index % 4);
                }));

        assertThat(wrong(check, TWO).details()).containsEntry("wrong_samples", 12);
    }

    @Test
    void aGeneratorThatEveryWorkerHasInTheSameStateIsNoCorruption() throws Exception {
        // The second sample that a worker reads is another: sample 1 where there is one, sample 5 in the second of two.
        TruthCheck check = check(
                Kind.INDEXED,
                (config, request) -> indexed(
                        16,
                        index -> index == (config.numWorkers() == 1 ? 1 : 5) && config.numWorkers() > 0
                                ? "rare"
                                : "usual"));

        assertThat(check.check(TWO, AT_MOST)).isEmpty();
    }

    @Test
    void whatStartedWorkersLackIsWrong() {
        LoaderConfig spawned = LoaderConfig.of(1, 2, false, 8, true, "spawn");
        TruthCheck check = check(
                Kind.INDEXED,
                (config, request) ->
                        indexed(16, index -> "spawn".equals(config.multiprocessingContext()) ? "plain" : "scaled"));

        assertThat(wrong(check, spawned).details()).containsEntry("wrong_samples", 16);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatEveryWorkerDeliversAlikeIsSaid(int workers) throws Exception {
        // The last bits of a sum where worker_init_fn sets a number of threads.
        DeliveryReader sums = (config, request) ->
                indexed(16, index -> (config.numWorkers() == 0 ? "a sum " : "another sum ") + index);
        DeliveryReader streamed = (config, request) -> stream(
                16,
                config.numWorkers(),
                true,
                number -> (config.numWorkers() == 0 ? "a sum " : "another sum ") + number);
        LoaderConfig config = LoaderConfig.of(workers, 2, false, 8, true, null);

        assertThat(check(Kind.INDEXED, sums).check(config, AT_MOST))
                .hasValueSatisfying(warning -> assertThat(warning)
                        .startsWith(
                                "16 of 16 samples are not what 0 workers read, sample 0 among them (differing: image),"
                                        + " but are the same whenever workers read them"));
        assertThat(check(Kind.STREAM, streamed).check(config, AT_MOST))
                .hasValueSatisfying(warning -> assertThat(warning)
                        .startsWith(
                                "16 of 16 samples are none of those that 0 workers read (differing: content), but"));
    }

    @Test
    void theWorkersNumberInASampleIsSaid() throws Exception {
        TruthCheck check = check(
                Kind.INDEXED,
                (config, request) -> indexed(
                        16,
                        index -> "content " + index,
                        index -> config.numWorkers() == 0 ? "none" : "worker " + index / 4 % config.numWorkers()));

        assertThat(check.check(TWO, AT_MOST))
                .hasValueSatisfying(warning -> assertThat(warning).contains("(differing: label)"));
    }

    @Test
    void aBufferThatIsOverwrittenWhileItWaitsIsWrongHoweverOftenItIsTheSame() {
        // A worker's batch holds what it reads next.
        TruthCheck check = check(
                Kind.INDEXED,
                (config, request) -> indexed(16, index -> "content " + (index + 4 * config.numWorkers())));

        assertThat(wrong(check, ONE).details()).containsEntry("wrong_samples", 16);
        assertThat(wrong(check, TWO).details()).containsEntry("wrong_samples", 16);
    }

    @Test
    void aBufferThatIsOverwrittenOtherwiseInEveryReadingIsWrong() {
        TruthCheck check = check(
                Kind.INDEXED,
                (config, request) -> indexed(
                        16, index -> "content " + (config.numWorkers() == 0 ? index : (index + read.size()) % 16)));

        assertThat(wrong(check, ONE).details()).containsEntry("wrong_samples", 16);
        assertThat(wrong(check, TWO).details()).containsEntry("wrong_samples", 16);
    }

    @Test
    void whatIsTornOtherwiseInEveryReadingIsWrong() {
        TruthCheck check = check(
                Kind.INDEXED,
                (config, request) -> indexed(
                        16,
                        index -> config.numWorkers() > 1 && index / 4 % 2 == 1
                                ? "torn " + read.size()
                                : "content " + index));

        assertThat(wrong(check, TWO).details()).containsEntry("wrong_samples", 8);
    }

    @Test
    void aTimeOfDayInSamplesIsNoCorruption() throws Exception {
        // It changes once, after what was read in doubt for another config.
        boolean[] changed = {false};
        TruthCheck check = check(Kind.INDEXED, (config, request) -> {
            if (config.equals(TWO)) {
                changed[0] = true;
            }
            String hour = changed[0] ? "11 h" : "10 h";
            String part = config.equals(ONE) && read.size() == 3 ? "torn" : "content";
            return indexed(16, index -> part, index -> hour);
        });

        wrong(check, ONE);
        assertThat(check.check(TWO, AT_MOST)).isEmpty();
    }

    @Test
    void anEpochThatEndsBeforeAllWasDeliveredIsMissingSamples() {
        TruthCheck check = check(Kind.INDEXED, (config, request) -> {
            Deliveries whole = indexed(16, index -> "content " + index);
            return config.numWorkers() == 0
                    ? whole
                    : new Deliveries(whole.batches().subList(0, 1), true, 4);
        });

        TrialFailure failure = wrong(check, TWO);

        assertThat(failure.message()).endsWith("the epoch ended without an error after 1 of 4 batches");
        assertThat(failure.details()).containsEntry("delivered_batches", 1).containsEntry("expected_batches", 4);
    }

    @Test
    void aPassThatWasCutShortByTimeIsComparedAsFarAsItWent() throws Exception {
        TruthCheck check = check(Kind.INDEXED, (config, request) -> {
            Deliveries whole = indexed(16, index -> "content " + index);
            return config.numWorkers() == 0
                    ? whole
                    : new Deliveries(whole.batches().subList(0, 1), false, 4);
        });

        assertThat(check.check(TWO, AT_MOST)).isEmpty();
    }

    @Test
    void whatCannotBeReadWithoutWorkersIsNotComparedAndNotReadAgain() throws Exception {
        TruthCheck check = check(Kind.STREAM, (config, request) -> {
            throw new TrialFailedException(TrialFailure.of(FailureReason.COLLATE_ERROR, "shapes differ"));
        });

        assertThat(check.check(ONE, AT_MOST))
                .contains(
                        "the samples were not compared with those of 0 workers: they cannot be read without workers: shapes differ");
        assertThat(check.check(TWO, AT_MOST)).isPresent();
        assertThat(read).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 300})
    void aStreamInAnotherOrderWithGenuineDuplicatesIsSound(int samples) throws Exception {
        // Every content twice; each worker gets a copy of each.
        TruthCheck check = check(
                Kind.STREAM,
                (config, request) -> stream(samples, config.numWorkers(), true, number -> "content " + number / 2));

        assertThat(check.check(TWO, AT_MOST)).isEmpty();
    }

    @Test
    void copiesOfAWholePassAreCounted() {
        TruthCheck check = check(Kind.STREAM, (config, request) -> {
            int copies = Math.max(1, config.numWorkers());
            return stream(40 * copies, config.numWorkers(), true, number -> "content " + (number * 7) % 40);
        });

        TrialFailure failure = wrong(check, TWO);

        assertThat(failure.message())
                .endsWith("samples come more than once: 80 of a pass were delivered, of which 0 workers deliver 40");
        assertThat(failure.details())
                .containsEntry("doubled_samples", 40L)
                .containsEntry("delivered_samples", 80L)
                .containsEntry("expected_samples", 40L);
        assertThat(failure.advice()).contains("only 0 or 1 worker can win");
    }

    @Test
    void copiesInAStreamWithoutEndAreSeenByTheBeginningOfEachWorker() throws Exception {
        DeliveryReader repeating = (config, request) -> stream(
                60, config.numWorkers(), false, number -> "content " + number / Math.max(1, config.numWorkers()));

        assertThat(check(Kind.STREAM, repeating).check(ONE, AT_MOST)).isEmpty();
        assertThat(wrong(check(Kind.STREAM, repeating), TWO).message())
                .contains("the first 16 of each of 2 workers are the same");
    }

    @Test
    void keysThatBeginAnewInEveryShardAreNoCopies() throws Exception {
        TruthCheck check = check(
                Kind.STREAM,
                (config, request) -> stream(
                        60,
                        config.numWorkers(),
                        false,
                        number -> "image " + number,
                        number -> "key " + number / Math.max(1, config.numWorkers())));

        assertThat(check.check(TWO, AT_MOST)).isEmpty();
    }

    @Test
    void aStreamOfEqualSamplesSaysNothingAboutItsWorkers() throws Exception {
        TruthCheck check =
                check(Kind.STREAM, (config, request) -> stream(60, config.numWorkers(), false, number -> "constant"));

        assertThat(check.check(TWO, AT_MOST)).isEmpty();
    }

    @Test
    void aStreamThatLosesSamplesOrBringsOthersIsWrong() {
        TruthCheck losing = check(
                Kind.STREAM,
                (config, request) -> stream(
                        config.numWorkers() == 0 ? 40 : 30, config.numWorkers(), true, number -> "content " + number));
        TruthCheck foreign = check(
                Kind.STREAM,
                (config, request) -> stream(
                        40,
                        config.numWorkers(),
                        true,
                        number -> (config.numWorkers() > 1 && number == 5 ? "torn" : "content ") + number));
        TruthCheck neverEnding = check(
                Kind.STREAM,
                (config, request) -> stream(
                        config.numWorkers() == 0 ? 1024 : 30,
                        config.numWorkers(),
                        config.numWorkers() > 0,
                        number -> "content " + number));

        assertThat(wrong(losing, TWO).details())
                .containsEntry("delivered_samples", 30L)
                .containsEntry("expected_samples", 40L);
        assertThat(wrong(foreign, TWO).message()).endsWith("1 of 40 samples are none of those that 0 workers read");
        assertThat(wrong(neverEnding, TWO).message())
                .endsWith("after 30 samples, of which 0 workers deliver more than 1024");
    }

    @Test
    void aStreamOfRandomLengthIsNotCounted() throws Exception {
        Random random = new Random(3);
        TruthCheck check = check(
                Kind.STREAM,
                (config, request) ->
                        stream(30 + random.nextInt(10), config.numWorkers(), true, number -> "content " + number));

        assertThat(check.check(TWO, AT_MOST)).isEmpty();
    }

    @Test
    void aGeneratorThatEveryWorkerMakesAnewIsNoCorruption() throws Exception {
        // Number and draw: each worker, or who reads as it would, has the first draws for its own numbers.
        DeliveryReader seededAnew = (config, request) -> stream(
                40,
                config.numWorkers(),
                true,
                number -> number + " with draw " + number / shares(config, request),
                number -> "label " + number / shares(config, request) % 3);

        assertThat(check(Kind.STREAM, seededAnew).check(ONE, AT_MOST)).isEmpty();
        assertThat(check(Kind.STREAM, seededAnew).check(TWO, AT_MOST)).isEmpty();
    }

    @Test
    void copiesAreCountedWhereEveryWorkerDrawsOtherwise() {
        // No shards: each of two workers has all 40 numbers.
        TruthCheck check = check(
                Kind.STREAM,
                (config, request) -> stream(
                        40 * shares(config, request),
                        config.numWorkers(),
                        true,
                        number -> number % 40 + " with draw " + number));

        assertThat(wrong(check, TWO).details()).containsEntry("delivered_samples", 80L);
    }

    @Test
    void whatWorkersTearIsWrongAlthoughTheyDrawOtherwise() {
        TruthCheck check = check(
                Kind.STREAM,
                (config, request) -> stream(
                        40,
                        config.numWorkers(),
                        true,
                        number -> number + " with draw " + number / shares(config, request),
                        number -> (config.numWorkers() > 1 && number == 7 ? "torn " : "key ") + number));

        assertThat(wrong(check, TWO).details()).containsEntry("wrong_samples", 1L);
    }

    @Test
    void aRestThatIsNotDealtOutIsSaidAndMoreThanARestIsMissing() throws Exception {
        DeliveryReader dropsTheRest = (config, request) ->
                stream(41 - 41 % shares(config, request), config.numWorkers(), true, number -> "content " + number);
        DeliveryReader losesHalf = (config, request) ->
                stream(41 / shares(config, request), config.numWorkers(), true, number -> "content " + number);

        assertThat(check(Kind.STREAM, dropsTheRest).check(TWO, AT_MOST))
                .hasValueSatisfying(warning -> assertThat(warning)
                        .startsWith(
                                "the epoch ended without an error after 40 samples, of which 0 workers deliver 41; that"
                                        + " is how the dataset deals samples out"));
        assertThat(wrong(check(Kind.STREAM, losesHalf), TWO).details()).containsEntry("delivered_samples", 20L);
    }

    @Test
    void oneHalfTwiceIsDoubledAlthoughAsManySamplesCome() {
        // The second worker has another order.
        TruthCheck check = check(
                Kind.STREAM,
                (config, request) -> stream(
                        40,
                        config.numWorkers(),
                        true,
                        number -> "content "
                                + (shares(config, request) == 1 ? number : (number / 2 + 7 * (number % 2)) % 20)));

        assertThat(wrong(check, TWO).details()).containsEntry("doubled_samples", 20L);
    }

    private static int shares(LoaderConfig config, DeliveryReader.Request request) {
        return Math.max(1, Math.max(config.numWorkers(), request.inTurnAs()));
    }

    @Test
    void batchesOfAStreamsOwnMayBeCutOtherwiseButNotDoubled() throws Exception {
        DeliveryReader dropsRests = (config, request) -> stream(
                40 - config.numWorkers(),
                config.numWorkers(),
                true,
                number -> config.numWorkers() + " padded " + number);
        DeliveryReader doubles = (config, request) ->
                stream(config.numWorkers() > 1 ? 80 : 40, config.numWorkers(), true, number -> "padded " + number);

        assertThat(check(Kind.STREAM_OF_BATCHES, dropsRests).check(TWO, AT_MOST))
                .isEmpty();
        assertThat(wrong(check(Kind.STREAM_OF_BATCHES, doubles), TWO).details()).containsEntry("doubled_samples", 40L);
    }

    private TruthCheck check(Kind kind, DeliveryReader reader) {
        return new TruthCheck(
                (config, request) -> {
                    read.add(config);
                    Deliveries forwards = reader.read(config, request);
                    return request.afresh() ? backwards(forwards) : forwards;
                },
                kind);
    }

    private static TrialFailure wrong(TruthCheck check, LoaderConfig config) {
        TrialFailure failure = catchThrowableOfType(TrialFailedException.class, () -> check.check(config, AT_MOST))
                .failure();
        assertThat(failure.reason()).isEqualTo(FailureReason.WRONG_DATA);
        return failure;
    }

    private static Deliveries indexed(int samples, IntFunction<String> image) {
        return indexed(samples, image, index -> "label");
    }

    /** Batches of four, all that was asked for. */
    private static Deliveries indexed(int samples, IntFunction<String> image, IntFunction<String> label) {
        List<Batch> batches = new ArrayList<>();
        for (int begin = 0; begin < samples; begin += 4) {
            List<Integer> indices = IntStream.range(begin, begin + 4).boxed().toList();
            batches.add(new Batch(
                    JSON.arrayNode()
                            .addAll(indices.stream().map(JSON::numberNode).toList()),
                    null,
                    4,
                    Map.of(
                            "image",
                                    new Leaf(
                                            "float32 [4, 3]",
                                            indices.stream().map(image::apply).toList()),
                            "label",
                                    new Leaf(
                                            "int64 [4]",
                                            indices.stream().map(label::apply).toList()))));
        }
        return new Deliveries(batches, true, samples / 4);
    }

    private static Deliveries backwards(Deliveries forwards) {
        List<Batch> batches = new ArrayList<>(forwards.batches());
        Collections.reverse(batches);
        return new Deliveries(batches, forwards.ended(), forwards.asked());
    }

    private static Deliveries stream(int samples, int workers, boolean ended, IntFunction<String> content) {
        return stream(samples, workers, ended, content, number -> "");
    }

    /** Samples from workers that take turns. */
    private static Deliveries stream(
            int samples, int workers, boolean ended, IntFunction<String> content, IntFunction<String> key) {
        return new Deliveries(
                IntStream.range(0, samples)
                        .mapToObj(number -> new Batch(
                                null,
                                workers == 0 ? null : number % workers,
                                1,
                                Map.of(
                                        "content", new Leaf("text", List.of(content.apply(number))),
                                        "key", new Leaf("text", List.of(key.apply(number))))))
                        .toList(),
                ended,
                null);
    }
}
