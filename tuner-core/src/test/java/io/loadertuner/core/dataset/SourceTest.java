package io.loadertuner.core.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.loadertuner.core.space.InvalidFieldException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SourceTest {

    @Test
    void each_kind_has_the_name_that_a_descriptor_gives_it() {
        assertThat(List.of(
                        new Source.ImageFolder("photos", null),
                        new Source.Array("rows.npy"),
                        new Source.TarShards("shards", null),
                        new Source.Python("data:make", null, null, null),
                        synthetic(10, List.of(1), 0, 0, 0)))
                .extracting(Source::kind)
                .containsExactly("image_folder", "array", "tar_shards", "python", "synthetic");
    }

    @Test
    void what_is_left_out_has_its_default() {
        Source.Python python = new Source.Python("data:make", null, null, null);

        assertThat(new Source.ImageFolder("photos", null).imageSize()).isEqualTo(224);
        assertThat(new Source.TarShards("shards", null).imageSize()).isEqualTo(224);
        assertThat(python.arguments()).isEmpty();
        assertThat(python.pythonPath()).isEmpty();
        assertThat(python.environment()).isEqualTo("default");
        assertThat(synthetic(1, null, 0, 0, 0).shape()).containsExactly(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t", "photos\0.png"})
    void a_path_that_names_nothing_is_refused(String path) {
        assertRefused("path", () -> new Source.ImageFolder(path, null));
        assertRefused("path", () -> new Source.Array(path));
        assertRefused("path", () -> new Source.TarShards(path, null));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 8193})
    void an_image_size_out_of_range_is_refused(int size) {
        assertRefused("image_size", () -> new Source.ImageFolder("photos", size));
        assertRefused("image_size", () -> new Source.TarShards("shards", size));
    }

    @ParameterizedTest
    @ValueSource(strings = {"data:make", "a.b.c:make", "_a.b2:Class.method", "pkg:make_2"})
    void a_factory_is_a_module_and_a_function(String factory) {
        assertThat(new Source.Python(factory, null, null, null).factory()).isEqualTo(factory);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "make",
                "data:",
                ":make",
                "data:make()",
                "data.make",
                "a..b:make",
                "a-b:make",
                "2a:make",
                "data:make; import os",
                "data:make\n",
                "a/b:make",
                "data:make:other"
            })
    void anything_else_is_not_a_factory(String factory) {
        assertRefused("factory", () -> new Source.Python(factory, null, null, null));
    }

    @Test
    void what_the_caller_does_to_its_arguments_later_changes_nothing() {
        Map<String, Object> arguments = new HashMap<>(Map.of("size", 3));
        List<String> path = new ArrayList<>(List.of("lib"));
        Source.Python python = new Source.Python("data:make", arguments, path, null);

        arguments.put("size", 4);
        path.add("other");

        assertThat(python.arguments()).containsExactly(Map.entry("size", 3));
        assertThat(python.pythonPath()).containsExactly("lib");
    }

    @Test
    void a_synthetic_sample_has_at_most_2_to_the_28_elements() {
        assertThat(synthetic(1, List.of(1 << 14, 1 << 14), 0, 0, 0).shape()).hasSize(2);
        assertRefused("shape", () -> synthetic(1, List.of(1 << 14, (1 << 14) + 1), 0, 0, 0));
        assertRefused("shape", () -> synthetic(1, List.of(1 << 28, 1 << 28, 1 << 28), 0, 0, 0));
        assertRefused("shape", () -> synthetic(1, List.of(3, 0), 0, 0, 0));
        assertRefused("shape", () -> synthetic(1, List.of(-1), 0, 0, 0));
    }

    @Test
    void a_synthetic_dataset_has_samples_of_a_bounded_cost() {
        assertThat(synthetic(Integer.MAX_VALUE, null, 60_000, 60_000, 1L << 30).samples())
                .isEqualTo(Integer.MAX_VALUE);
        assertRefused("samples", () -> synthetic(0, null, 0, 0, 0));
        assertRefused("sample_milliseconds", () -> synthetic(1, null, -0.1, 0, 0));
        assertRefused("sample_milliseconds", () -> synthetic(1, null, Double.NaN, 0, 0));
        assertRefused("cpu_milliseconds", () -> synthetic(1, null, 0, 60_000.1, 0));
        assertRefused("cpu_milliseconds", () -> synthetic(1, null, 0, Double.POSITIVE_INFINITY, 0));
        assertRefused("bytes_read", () -> synthetic(1, null, 0, 0, -1));
        assertRefused("bytes_read", () -> synthetic(1, null, 0, 0, (1L << 30) + 1));
    }

    private static Source.Synthetic synthetic(
            int samples,
            @Nullable List<Integer> shape,
            double sampleMilliseconds,
            double cpuMilliseconds,
            long bytesRead) {
        return new Source.Synthetic(samples, shape, sampleMilliseconds, cpuMilliseconds, bytesRead);
    }

    private static void assertRefused(String field, Runnable making) {
        assertThatExceptionOfType(InvalidFieldException.class)
                .isThrownBy(making::run)
                .satisfies(thrown -> assertThat(thrown.field()).isEqualTo(field));
    }
}
