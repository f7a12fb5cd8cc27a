package io.loadertuner.core.loader.jcuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArraySourceTest {
    @TempDir
    Path folder;

    /** A file as NumPy writes it: magic, version, length of the header, the header padded to 64 bytes, the elements. */
    private Path file(int major, String header, byte[] elements) throws IOException {
        int before = major == 1 ? 10 : 12;
        String padded = header + " ".repeat(63 - (before + header.length()) % 64) + "\n";
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) major, 0});
        ByteBuffer length = ByteBuffer.allocate(before - 8).order(ByteOrder.LITTLE_ENDIAN);
        if (major == 1) {
            length.putShort((short) padded.length());
        } else {
            length.putInt(padded.length());
        }
        bytes.write(length.array());
        bytes.write(padded.getBytes(StandardCharsets.ISO_8859_1));
        bytes.write(elements);
        return Files.write(folder.resolve("rows.npy"), bytes.toByteArray());
    }

    private static byte[] floats(int count) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
        for (int value = 0; value < count; value++) {
            bytes.putFloat(value);
        }
        return bytes.array();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aRowIsReadIntoItsPlace(int major) throws IOException {
        Path file = file(major, "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 2, 3), }", floats(30));

        try (ArraySource source = ArraySource.open(file)) {
            assertThat(source.length()).isEqualTo(5);
            assertThat(source.sampleBytes()).isEqualTo(24);
            assertThat(source.shape()).isEqualTo(List.of(2, 3));
            assertThat(source.dtype()).isEqualTo("float32");
            ByteBuffer into = ByteBuffer.allocateDirect(100).order(ByteOrder.LITTLE_ENDIAN);
            source.read(3, 0, into, 40);
            for (int element = 0; element < 6; element++) {
                assertThat(into.getFloat(40 + 4 * element)).isEqualTo(18f + element);
            }
            assertThat(into.getFloat(36)).isZero();
            assertThat(into.getFloat(64)).isZero();
            assertThat(into.position()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'<i8' | int64 | 8",
                "'|u1' | uint8 | 1",
                "'|b1' | bool | 1",
                "'<f2' | float16 | 2",
                "'>f4' | float32 (big endian) | 4"
            })
    void elementTypesAreToldAsNumPyDoes(String descr, String dtype, int bytes) throws IOException {
        String quoted = "'" + descr + "'";
        Path file = file(1, "{'descr': " + quoted + ", 'fortran_order': False, 'shape': (2,), }", new byte[2 * bytes]);

        try (ArraySource source = ArraySource.open(file)) {
            assertThat(source.dtype()).isEqualTo(dtype);
            assertThat(source.sampleBytes()).isEqualTo(bytes);
            assertThat(source.shape()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "{'descr': '|O', 'fortran_order': False, 'shape': (2,), } ; cannot be mapped",
                "{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (2,), } ; cannot be mapped",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (), } ; no rows",
                "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), } ; Fortran",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (9, 9), } ; promises 4",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999, 9999999999), } ; can be loaded",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 0), } ; rows of 0 bytes",
                "nonsense ; cannot be mapped",
            })
    void whatCannotBeMappedIsRefusedByItsName(String header, String told) throws IOException {
        Path file = file(1, header, floats(30));

        assertThatThrownBy(() -> ArraySource.open(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("rows.npy")
                .hasMessageContaining(told);
    }

    @Test
    void whatIsNoNumpyFileIsRefused() throws IOException {
        Path text = Files.writeString(folder.resolve("text.npy"), "no array at all");
        Path empty = Files.createFile(folder.resolve("empty.npy"));

        assertThatThrownBy(() -> ArraySource.open(text))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no .npy file");
        assertThatThrownBy(() -> ArraySource.open(empty))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ends within");
    }
}
