package io.loadertuner.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loadertuner.core.json.TunerJson;
import io.loadertuner.core.space.InvalidFieldException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StudyRequestTest {

    /** A request is stored as JSON and read again when its study goes on. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\": \"a\", \"source\": {\"kind\": \"synthetic\", \"samples\": 5}}",
                "{\"name\": \"a\", \"version\": \"1\", \"loader\": \"pytorch\", \"ranks\": 1, \"machine_type\": \"m\","
                        + " \"sampler\": \"genetic\", \"cost_order\": [\"host_memory\"], \"source\": {\"kind\": \"image_folder\", \"path\": \"p\"},"
                        + " \"step\": {\"milliseconds\": 35}, \"budget\": {\"seconds\": 60},"
                        + " \"constraints\": {\"max_num_workers\": 3}, \"baseline\": {\"num_workers\": 2},"
                        + " \"space\": {\"num_workers\": {\"min\": 0, \"max\": 3}, \"pin_memory\": [false, true]}}",
                "{\"name\": \"a\", \"source\": {\"kind\": \"array\", \"path\": \"p.npy\"},"
                        + " \"step\": {\"factory\": \"m:f\", \"arguments\": {\"width\": 3}}}",
                "{\"name\": \"a\", \"source\": {\"kind\": \"tar_shards\", \"path\": \"p\", \"image_size\": 64},"
                        + " \"step\": {\"factory\": \"m:f\"}}",
                "{\"name\": \"a\", \"source\": {\"kind\": \"python\", \"factory\": \"m.n:f\","
                        + " \"arguments\": {\"x\": [1, null, {\"y\": \"z\"}]}, \"python_path\": [\"p\"]}}",
            })
    void whatWasAcceptedOnceIsAcceptedAgain(String json) {
        StudyRequest request = TunerJson.mapper().readValue(json, StudyRequest.class);

        String stored = TunerJson.mapper().writeValueAsString(request);

        assertThat(TunerJson.mapper().readValue(stored, StudyRequest.class)).isEqualTo(request);
    }

    @Test
    void theOrderOfCostIsTheUsualOneUnlessItSaysOtherwise() {
        assertThat(withCostOrder("null").costOrder())
                .containsExactly("num_workers", "host_memory", "prefetch_factor", "pin_memory", "batch_size");
        assertThat(withCostOrder("[\"batch_size\", \"host_memory\"]").costOrder())
                .containsExactly("batch_size", "host_memory", "num_workers", "prefetch_factor", "pin_memory");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[\"disk\"]", "[\"num_workers\", \"num_workers\"]", "[null]"})
    void anOrderOfCostWithUnknownOrRepeatedNamesIsRefused(String names) {
        assertThatThrownBy(() -> withCostOrder(names))
                .rootCause()
                .isInstanceOfSatisfying(
                        InvalidFieldException.class,
                        refused -> assertThat(refused.field()).isEqualTo("cost_order"));
    }

    private static StudyRequest withCostOrder(String names) {
        return TunerJson.mapper()
                .readValue(
                        "{\"name\": \"a\", \"source\": {\"kind\": \"synthetic\", \"samples\": 5}, \"cost_order\": "
                                + names + "}",
                        StudyRequest.class);
    }
}
