package io.loadertuner.core.loader.jcuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TriangleFilterTest {

    private static int[] scaled(int to, int... pixels) {
        byte[] bytes = new byte[pixels.length];
        for (int index = 0; index < pixels.length; index++) {
            bytes[index] = (byte) pixels[index];
        }
        TriangleFilter filter = TriangleFilter.of(pixels.length, to);
        return IntStream.range(0, to)
                .map(pixel -> filter.apply(pixel, bytes, 0, 1))
                .toArray();
    }

    @Test
    void theSameSizeIsTheSameImage() {
        assertThat(scaled(5, 0, 255, 17, 128, 3)).containsExactly(0, 255, 17, 128, 3);
    }

    @Test
    void whatIsEvenStaysEven() {
        assertThat(scaled(7, 200, 200, 200)).containsOnly(200);
        assertThat(scaled(2, 255, 255, 255, 255, 255)).containsOnly(255);
    }

    /** Both lie a quarter of the reach from the centre. */
    @Test
    void twoBecomeTheirMean() {
        assertThat(scaled(1, 100, 50)).containsExactly(75);
    }

    /** Of four to two: 0.75, 0.75 and 0.25 of 1.75 from the one end, the same from the other. */
    @Test
    void fourBecomeTwo() {
        assertThat(scaled(2, 70, 140, 210, 0))
                .containsExactly(
                        Math.round(70 * 3 / 7f + 140 * 3 / 7f + 210 / 7f), Math.round(140 / 7f + 210 * 3 / 7f));
    }

    /** Of two to four: the ends are their own, between them three to one and one to three. */
    @Test
    void twoBecomeFour() {
        assertThat(scaled(4, 40, 80)).containsExactly(40, 50, 70, 80);
    }
}
