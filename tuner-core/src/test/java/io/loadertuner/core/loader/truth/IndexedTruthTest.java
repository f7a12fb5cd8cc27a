package io.loadertuner.core.loader.truth;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.loader.FailureReason;
import io.loadertuner.core.loader.TrialFailedException;
import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.loader.truth.TruthCheck.Kind;
import io.loadertuner.core.space.LoaderConfig;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datasets that are asked for samples by their index. */
class IndexedTruthTest extends MadeUpDeliveries {

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
}
