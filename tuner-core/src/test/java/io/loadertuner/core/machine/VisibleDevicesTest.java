package io.loadertuner.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VisibleDevicesTest {

    private static final Gpu A = new Gpu("NVIDIA A30", 24L << 30, "GPU-aaaa1111");
    private static final Gpu B = new Gpu("NVIDIA A30", 24L << 30, "GPU-bbbb2222");
    private static final Gpu C = new Gpu("NVIDIA A30", 24L << 30, "GPU-cccc3333");

    @Test
    void allAreVisibleUnlessSaidOtherwise() {
        assertThat(VisibleDevices.in(Map.of()).among(List.of(A, B, C))).containsExactly(A, B, C);
    }

    @ParameterizedTest(name = "\"{0}\" shows \"{1}\"")
    @CsvSource(delimiter = '|', textBlock = """
                    0                 | A
                    2,0               | CA
                    ' 1 , 2 '         | BC
                    ''                | ''
                    -1                | ''
                    0,-1,1            | A
                    0,7,1             | A
                    0,0               | A
                    NoDevFiles        | ''
                    GPU-bbbb2222      | B
                    GPU-cc,GPU-aa     | CA
                    GPU-dddd,0        | ''
                    bbbb2222          | ''
                    99999999999999    | ''
                    """)
    void readsTheVariableAsCudaDoes(String value, String visible) {
        List<Gpu> gpus =
                VisibleDevices.in(Map.of("CUDA_VISIBLE_DEVICES", value)).among(List.of(A, B, C));

        assertThat(gpus)
                .isEqualTo(visible.chars()
                        .mapToObj(gpu -> List.of(A, B, C).get(gpu - 'A'))
                        .toList());
    }

    @Test
    void keepsLikeGpusApartThatHaveNoIdentifier() {
        Gpu unidentified = new Gpu("NVIDIA A30", 0, null);

        assertThat(new VisibleDevices("0,1").among(List.of(unidentified, unidentified, unidentified)))
                .hasSize(2);
    }

    @Test
    void countsASliceOfAGpu() {
        assertThat(new VisibleDevices("MIG-1b2c").among(List.of(A)))
                .containsExactly(new Gpu("NVIDIA MIG device", 0, "MIG-1b2c"));
        assertThat(new VisibleDevices("MIG-1b2c").among(List.of())).isEmpty();
    }
}
