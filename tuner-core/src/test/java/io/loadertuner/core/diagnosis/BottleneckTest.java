package io.loadertuner.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.diagnosis.Bottleneck.Verdict;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class BottleneckTest {
    private static final OptionalDouble NONE = OptionalDouble.empty();

    @Test
    void aLoaderThatFeedsTheStepLeavesTheStepAsTheLimit() {
        Bottleneck fed = Bottleneck.of(490, OptionalDouble.of(500), 2, NONE, 1.0, 2);
        Bottleneck starved = Bottleneck.of(480, OptionalDouble.of(500), 2, NONE, 2.0, 2);

        assertThat(fed.verdict()).isEqualTo(Verdict.STEP_BOUND);
        assertThat(fed.text()).contains("500").contains("490");
        assertThat(starved.verdict()).isEqualTo(Verdict.CPU_BOUND);
    }

    @Test
    void busyCoresAreTheLimitAndIdleOnesMeanWaiting() {
        assertThat(Bottleneck.of(100, NONE, 2, NONE, 1.9, 2).verdict()).isEqualTo(Verdict.CPU_BOUND);
        assertThat(Bottleneck.of(100, NONE, 2, NONE, 0.4, 2).verdict()).isEqualTo(Verdict.WAIT_BOUND);
    }

    @Test
    void withoutWorkersOneCoreIsAllThatCanBeBusy() {
        assertThat(Bottleneck.of(100, NONE, 0, NONE, 0.97, 8).verdict()).isEqualTo(Verdict.CPU_BOUND);
        assertThat(Bottleneck.of(100, NONE, 8, NONE, 0.97, 8).verdict()).isEqualTo(Verdict.WAIT_BOUND);
    }

    @Test
    void samplesThatCostLessThanTheirTransferAreNamed() {
        Bottleneck bottleneck = Bottleneck.of(250_000, NONE, 0, OptionalDouble.of(5.6), 0.99, 2);

        assertThat(bottleneck.verdict()).isEqualTo(Verdict.TRANSFER_BOUND);
        assertThat(bottleneck.text()).contains("5.6").contains("cost of moving it between processes");
    }

    @Test
    void whatWasNotMeasuredIsNotJudged() {
        assertThat(Bottleneck.of(100, NONE, 2, NONE, null, 2).verdict()).isEqualTo(Verdict.UNKNOWN);
    }
}
