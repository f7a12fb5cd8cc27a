package io.loadertuner.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuSetTest {

    @ParameterizedTest
    @CsvSource({"0, 1", "0-7, 8", "'0-3,8,10-11', 7", "'1,1,0-2', 3", "4-4, 1"})
    void countsTheCpusOfAList(String list, int size) {
        assertThat(CpuSet.parse(list)).get().extracting(CpuSet::size).isEqualTo(size);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "none", "3-1", "0,", "-1", "0-", "99999999999"})
    void isNothingWhereThereIsNoList(String list) {
        assertThat(CpuSet.parse(list)).isEmpty();
    }

    @Test
    void isNarrowedToWhatBothContainIfAnything() {
        CpuSet cpus = CpuSet.parse("0-3").orElseThrow();

        assertThat(cpus.narrowedBy(CpuSet.parse("2-9").orElseThrow()).size()).isEqualTo(2);
        assertThat(cpus.narrowedBy(CpuSet.parse("8-9").orElseThrow()).size()).isEqualTo(4);
    }
}
