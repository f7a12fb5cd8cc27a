package io.loadertuner.core.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.loadertuner.core.space.InvalidFieldException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetDescriptorTest {

    @ParameterizedTest
    @ValueSource(strings = {"product-photos", "a", "s3://bucket/x_1.tar", "größe", "team@photos+2026:11"})
    void a_name_is_letters_digits_and_a_few_marks(String name) {
        assertThat(descriptor(name, "", "pytorch", 1).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "two words", "a\nb", "<b>", "a?b=c", "quote'"})
    void any_other_name_is_refused(String name) {
        assertRefused("name", () -> descriptor(name, "", "pytorch", 1));
    }

    @Test
    void a_name_has_up_to_200_characters() {
        assertThat(descriptor("n".repeat(200), "", "pytorch", 1).name()).hasSize(200);
        assertRefused("name", () -> descriptor("n".repeat(201), "", "pytorch", 1));
    }

    @Test
    void a_version_may_be_left_out_and_has_the_form_of_a_name() {
        assertThat(descriptor("photos", "", "pytorch", 1).version()).isEmpty();
        assertThat(descriptor("photos", "2026-11", "pytorch", 1).version()).isEqualTo("2026-11");
        assertRefused("version", () -> descriptor("photos", "2026 11", "pytorch", 1));
    }

    @Test
    void what_cannot_be_tuned_is_refused() {
        assertRefused("loader", () -> descriptor("photos", "", "PyTorch", 1));
        assertRefused("loader", () -> descriptor("photos", "", "jcuda", 1));
        assertRefused("ranks", () -> descriptor("photos", "", "pytorch", 0));
        assertRefused("ranks", () -> descriptor("photos", "", "pytorch", 65));
        assertThat(descriptor("photos", "", "pytorch", 64).ranks()).isEqualTo(64);
    }

    @Test
    void a_step_is_either_emulated_or_the_users_own() {
        assertThat(new TrainingStep(35.0, null, null).arguments()).isEmpty();
        assertThat(new TrainingStep(null, "train:step", Map.of("lr", 0.1)).arguments())
                .containsEntry("lr", 0.1);
        assertRefused("step", () -> new TrainingStep(null, null, null));
        assertRefused("step", () -> new TrainingStep(35.0, "train:step", null));
        assertRefused("arguments", () -> new TrainingStep(35.0, null, Map.of("width", 3)));
        assertRefused("factory", () -> new TrainingStep(null, "train.step", null));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 60_000.1, Double.NaN, Double.POSITIVE_INFINITY})
    void an_emulated_step_has_a_length_above_0_and_up_to_a_minute(double milliseconds) {
        assertRefused("milliseconds", () -> new TrainingStep(milliseconds, null, null));
    }

    @Test
    void what_the_caller_does_to_a_steps_arguments_later_changes_nothing() {
        Map<String, Object> arguments = new HashMap<>(Map.of("lr", 0.1));
        TrainingStep step = new TrainingStep(null, "train:step", arguments);

        arguments.clear();

        assertThat(step.arguments()).containsEntry("lr", 0.1);
    }

    private static DatasetDescriptor descriptor(String name, String version, String loader, int ranks) {
        return new DatasetDescriptor(name, version, loader, new Source.Array("rows.npy"), null, ranks);
    }

    private static void assertRefused(String field, Runnable making) {
        assertThatExceptionOfType(InvalidFieldException.class)
                .isThrownBy(making::run)
                .satisfies(thrown -> assertThat(thrown.field()).isEqualTo(field));
    }
}
