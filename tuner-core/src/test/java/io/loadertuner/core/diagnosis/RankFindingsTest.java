package io.loadertuner.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RankFindingsTest {

    @Test
    void anOrderRepeatsOnlyWhereSetEpochWouldChangeIt() {
        assertThat(RepeatedOrder.of("DistributedSampler", 256, true, true)).hasValueSatisfying(finding -> {
            assertThat(finding.code()).isEqualTo("order_repeats");
            assertThat(finding.evidence()).contains("DistributedSampler gave the same 256 indices");
        });
        assertThat(RepeatedOrder.of("RandomSampler", 256, false, true)).isEmpty();
        assertThat(RepeatedOrder.of("SequentialSampler", 256, true, false)).isEmpty();
    }

    @Test
    void ranksAreUnequalWhereTheirPassesAre() {
        assertThat(UnequalRanks.of(List.of(5L, 3L, 5L))).hasValueSatisfying(finding -> {
            assertThat(finding.evidence()).isEqualTo("a pass has 5, 3, 5 batches in ranks 0 to 2");
            assertThat(finding.remedy()).contains("the common minimum, 3 batches");
        });
        assertThat(UnequalRanks.of(List.of(5L, 5L))).isEmpty();
        assertThat(UnequalRanks.of(List.of())).isEmpty();
    }
}
