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
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import tools.jackson.databind.node.JsonNodeFactory;

/** Checks over deliveries made up by hand: what is said of them is known. */
abstract class MadeUpDeliveries {
    static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    static final Duration AT_MOST = Duration.ofSeconds(1);
    static final LoaderConfig ONE = LoaderConfig.of(1, 2, false, 8, true, null);
    static final LoaderConfig TWO = LoaderConfig.of(2, 2, false, 8, true, null);

    final List<LoaderConfig> read = new ArrayList<>();

    TruthCheck check(Kind kind, DeliveryReader reader) {
        return new TruthCheck(
                (config, request) -> {
                    read.add(config);
                    Deliveries forwards = reader.read(config, request);
                    return request.afresh() ? forwards.backwards() : forwards;
                },
                kind);
    }

    static TrialFailure wrong(TruthCheck check, LoaderConfig config) {
        TrialFailure failure = catchThrowableOfType(TrialFailedException.class, () -> check.check(config, AT_MOST))
                .failure();
        assertThat(failure.reason()).isEqualTo(FailureReason.WRONG_DATA);
        return failure;
    }

    static Deliveries indexed(int samples, IntFunction<String> image) {
        return indexed(samples, image, index -> "label");
    }

    /** Batches of four, all that was asked for. */
    static Deliveries indexed(int samples, IntFunction<String> image, IntFunction<String> label) {
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

    static Deliveries stream(int samples, int workers, boolean ended, IntFunction<String> content) {
        return stream(samples, workers, ended, content, number -> "");
    }

    /** Samples from workers that take turns. */
    static Deliveries stream(
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
