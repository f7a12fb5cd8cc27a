package io.loadertuner.service.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.study.Recommendation.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerTest {

    @Test
    void theHeadlineSaysNoMoreThanWasShown() {
        assertThat(Answer.headline(Kind.FASTER, "2 workers", true))
                .isEqualTo("Use 2 workers: faster than what you have, beyond noise");
        assertThat(Answer.headline(Kind.FASTER, "2 workers", false)).isEqualTo("Use 2 workers: what you have fails");
        assertThat(Answer.headline(Kind.CHEAPER, "2 workers", true))
                .isEqualTo("Use 2 workers: it takes less than what you have");
        assertThat(Answer.headline(Kind.KEPT, "8 workers", false)).isEqualTo("Keep what you have: 8 workers");
    }

    @Test
    void onlyWhatWasChosenForItIsSaidToCostTheLeast() {
        assertThat(Answer.ties(Kind.FASTER, List.of(3), 3, 2)).isEqualTo("No other config is tied with it.");
        assertThat(Answer.ties(Kind.FASTER, List.of(3, 5, 7), 3, 2))
                .isEqualTo(
                        "2 other configs cannot be told from the best by what was measured; batch size apart, this one"
                                + " costs the least of them (2 workers).");
        assertThat(Answer.ties(Kind.KEPT, List.of(1, 5), 1, 8))
                .isEqualTo("1 other config cannot be told from the best by what was measured.");
        assertThat(Answer.ties(Kind.CHEAPER, List.of(5, 7), 3, 2)).isEmpty();
    }
}
