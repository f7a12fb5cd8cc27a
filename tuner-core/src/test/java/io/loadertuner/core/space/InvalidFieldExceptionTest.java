package io.loadertuner.core.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class InvalidFieldExceptionTest {

    @Test
    void names_the_field_and_the_problem() {
        InvalidFieldException exception = new InvalidFieldException("num_workers", "must be from 0 to 8, but is 9");

        assertThat(exception.field()).isEqualTo("num_workers");
        assertThat(exception).hasMessage("num_workers: must be from 0 to 8, but is 9");
    }

    @Test
    void each_level_outward_puts_its_name_in_front() {
        InvalidFieldException exception = new InvalidFieldException("num_workers", "is missing: give it")
                .inside("baseline")
                .inside("study");

        assertThat(exception.field()).isEqualTo("study.baseline.num_workers");
        assertThat(exception).hasMessage("study.baseline.num_workers: is missing: give it");
    }

    @Test
    void a_range_includes_its_ends() {
        assertThatCode(() -> InvalidFieldException.requireRange("trials", 1, 1, 3))
                .doesNotThrowAnyException();
        assertThatCode(() -> InvalidFieldException.requireRange("trials", 3, 1, 3))
                .doesNotThrowAnyException();
        assertThatExceptionOfType(InvalidFieldException.class)
                .isThrownBy(() -> InvalidFieldException.requireRange("trials", 0, 1, 3))
                .withMessage("trials: must be from 1 to 3, but is 0");
        assertThatExceptionOfType(InvalidFieldException.class)
                .isThrownBy(() -> InvalidFieldException.requireRange("trials", 4, 1, 3))
                .withMessage("trials: must be from 1 to 3, but is 4");
    }
}
