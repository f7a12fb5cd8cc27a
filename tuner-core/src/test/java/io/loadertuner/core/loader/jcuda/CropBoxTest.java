package io.loadertuner.core.loader.jcuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CropBoxTest {
    private static List<CropBox> drawn(int width, int height) {
        return LongStream.range(0, 2000)
                .mapToObj(seed -> CropBox.of(width, height, seed))
                .toList();
    }

    @Test
    void itLiesInTheImageWithAnAreaAndARatioThatAreAllowed() {
        assertThat(drawn(500, 375)).allSatisfy(box -> {
            assertThat(box.left()).isNotNegative();
            assertThat(box.top()).isNotNegative();
            assertThat(box.left() + box.width()).isLessThanOrEqualTo(500);
            assertThat(box.top() + box.height()).isLessThanOrEqualTo(375);
            assertThat((double) box.width() * box.height() / (500 * 375)).isBetween(0.075, 1.0);
            assertThat((double) box.width() / box.height()).isBetween(0.74, 1.35);
        });
    }

    /** Areas are drawn evenly from 0.08 to 1, but large ones fit less often: the mean lies below 0.54. Half are flipped. */
    @Test
    void itIsDrawnFromAllOverTheImage() {
        List<CropBox> boxes = drawn(500, 375);

        assertThat(boxes.stream().filter(CropBox::flipped).count() / 2000.0).isEqualTo(0.5, within(0.05));
        assertThat(boxes.stream()
                        .mapToDouble(box -> box.left() + box.width() / 2.0)
                        .average()
                        .orElseThrow())
                .isEqualTo(250, within(10.0));
        assertThat(boxes.stream()
                        .mapToDouble(box -> box.top() + box.height() / 2.0)
                        .average()
                        .orElseThrow())
                .isEqualTo(187, within(8.0));
        assertThat(boxes.stream()
                                .mapToDouble(box -> (double) box.width() * box.height())
                                .average()
                                .orElseThrow()
                        / (500 * 375))
                .isBetween(0.40, 0.54);
    }

    @Test
    void theSameSeedDrawsTheSame() {
        assertThat(CropBox.of(640, 480, 42)).isEqualTo(CropBox.of(640, 480, 42)).isNotEqualTo(CropBox.of(640, 480, 43));
    }

    /** Nothing of that ratio fits: the largest part in the middle that does. */
    @Test
    void ofAStripTheMiddleIsTaken() {
        CropBox wide = CropBox.of(1000, 3, 1);
        CropBox tall = CropBox.of(3, 1000, 1);

        assertThat(List.of(wide.left(), wide.top(), wide.width(), wide.height()))
                .containsExactly(498, 0, 4, 3);
        assertThat(List.of(tall.left(), tall.top(), tall.width(), tall.height()))
                .containsExactly(0, 498, 3, 4);
        assertThat(CropBox.of(1, 1, 1).width()).isEqualTo(1);
    }
}
