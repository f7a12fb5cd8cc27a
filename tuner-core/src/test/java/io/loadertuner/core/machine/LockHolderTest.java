package io.loadertuner.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LockHolderTest {

    @ParameterizedTest
    @CsvSource({"4711, study photos, process 4711 (study photos)", "4711, '', process 4711", "0, '', another process"})
    void readsWell(long pid, String purpose, String description) {
        assertThat(new LockHolder(pid, purpose).description()).isEqualTo(description);
    }

    @ParameterizedTest
    @ValueSource(strings = {"study photos", "", "Prüfung 照片"})
    void isReadAsItWasWritten(String purpose) {
        LockHolder holder = LockHolder.thisProcess(purpose);

        assertThat(LockHolder.parse(holder.format())).isEqualTo(holder);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "somebody else's file", "-5 x", "99999999999999999999 x"})
    void isUnknownWhereTheTextNamesNone(String text) {
        assertThat(LockHolder.parse(text)).isEqualTo(LockHolder.UNKNOWN);
    }

    @Test
    void bringsNoControlCharactersToATerminal() {
        assertThat(LockHolder.parse("7 a\u001b[31mb\nc\u202ed\u2028e").purpose())
                .isEqualTo("a [31mb c d e");
    }

    @Test
    void isShort() {
        assertThat(new LockHolder(7, "x".repeat(1000)).purpose()).hasSize(200);
    }
}
