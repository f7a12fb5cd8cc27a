package io.loadertuner.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FiniteNumbersTest {

    record Numbers(double small, @Nullable Double boxed, double none) {}

    @Test
    void a_number_that_is_none_is_written_as_null() {
        assertThat(TunerJson.mapper().writeValueAsString(new Numbers(0.1, Double.NaN, Double.POSITIVE_INFINITY)))
                .isEqualTo("{\"small\":0.1,\"boxed\":null,\"none\":null}");
        assertThat(TunerJson.mapper().writeValueAsString(new Numbers(-1e300, null, Double.NEGATIVE_INFINITY)))
                .isEqualTo("{\"small\":-1.0E300,\"boxed\":null,\"none\":null}");
    }
}
