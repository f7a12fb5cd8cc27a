package io.loadertuner.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelledStepTest {
    /** A batch of 100 keeps the device for 10 + 100 × 0.1 = 20 ms. */
    @ParameterizedTest
    @CsvSource({"0, 0.005, 4000", "2, 0.005, 5000", "2, 0.05, 2000"})
    void hostAndDeviceTakeTurnsUnlessTheHostMayBeAhead(int stepsAhead, double hostSeconds, double samplesPerSecond) {
        ModelledStep step = new ModelledStep(0.01, 1e-4, 0, hostSeconds, stepsAhead);

        assertThat(step.samplesPerSecond(100)).isCloseTo(samplesPerSecond, within(1e-6));
    }
}
