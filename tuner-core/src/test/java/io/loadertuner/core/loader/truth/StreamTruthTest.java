package io.loadertuner.core.loader.truth;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.loader.TrialFailure;
import io.loadertuner.core.loader.truth.TruthCheck.Kind;
import io.loadertuner.core.space.LoaderConfig;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Iterables: of samples, and of batches. */
class StreamTruthTest extends MadeUpDeliveries {

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

    private static int shares(LoaderConfig config, DeliveryReader.Request request) {
        return Math.max(1, Math.max(config.numWorkers(), request.inTurnAs()));
    }
}
