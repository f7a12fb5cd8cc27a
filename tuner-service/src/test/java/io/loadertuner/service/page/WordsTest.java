package io.loadertuner.service.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.loadertuner.core.measure.Ratio;
import io.loadertuner.core.measure.Throughput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0.123, 0.12",
        "9.876, 9.88",
        "12.34, 12.3",
        "99.94, 99.9",
        "100.4, 100",
        "'1234567', '1,234,567'",
        "-12.34, -12.3"
    })
    void numbersHaveThreeDigitsOrAllBeforeThePoint(double value, String text) {
        assertThat(Words.number(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0.41, 0.41 s", "9.99, 9.99 s", "48.4, 48 s", "59.6, 1 min 0 s", "148, 2 min 28 s", "11100, 3 h 5 min"})
    void secondsBecomeMinutesAndHours(double seconds, String text) {
        assertThat(Words.seconds(seconds)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 B", "1023, 1023 B", "1024, 1.00 KiB", "734003200, 700 MiB", "5368709120, 5.00 GiB"})
    void bytesHaveBinaryUnits(long bytes, String text) {
        assertThat(Words.bytes(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"2.31, +131 %", "1, +0 %", "0.97, −3 %"})
    void aGainIsInPercent(double ratio, String text) {
        assertThat(Words.gain(ratio)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0.004, 0.4 %", "0.0099, 1.0 %", "0.01, 1 %", "0.115, 12 %"})
    void aShareBelowAPercentKeepsADigit(double share, String text) {
        assertThat(Words.percent(share)).isEqualTo(text);
    }

    @Test
    void whatIsNotKnownIsADash() {
        assertThat(Words.seconds(null)).isEqualTo("–");
        assertThat(Words.bytes(null)).isEqualTo("–");
        assertThat(Words.rate(null)).isEqualTo("–");
    }

    @Test
    void aRateSaysOnHowManyRoundsItRestsWhereThatIsTooFewForAnInterval() {
        assertThat(Words.interval(new Throughput(412, 381.4, 445.5, 5))).isEqualTo("381–446");
        assertThat(Words.interval(new Throughput(412, null, null, 1))).isEqualTo("1 round, no interval");
        assertThat(Words.interval(new Throughput(412, null, null, 2))).isEqualTo("2 rounds, no interval");
        assertThat(Words.ratio(new Ratio(2.31, 2.08, 2.56, 4))).isEqualTo("2.31× (2.08–2.56)");
    }
}
