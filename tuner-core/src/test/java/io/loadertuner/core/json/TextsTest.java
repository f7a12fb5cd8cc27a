package io.loadertuner.core.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;

class TextsTest {
    private record Named(String name) {}

    @ParameterizedTest
    @ValueSource(strings = {"5", "-0.5", "true", "[\"a\"]", "{}"})
    void whatIsNoTextIsNotTakenForOne(String value) {
        assertThatThrownBy(() -> TunerJson.mapper().readValue("{\"name\": " + value + "}", Named.class))
                .isInstanceOfSatisfying(
                        JacksonException.class,
                        refused ->
                                assertThat(JsonFault.of(refused).getMessage()).startsWith("name: must be a text"));
    }

    @Test
    void aTextIsTakenAsItStands() {
        assertThat(TunerJson.mapper().readValue("{\"name\": \"5\"}", Named.class))
                .isEqualTo(new Named("5"));
    }
}
