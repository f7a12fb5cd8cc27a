package io.loadertuner.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CpuModelTest {

    @Test
    void takesTheNameThatX86Tells() {
        assertThat(CpuModel.of(List.of("processor\t: 0", "model\t: 25", "model name\t: Intel(R)  Xeon(R)   Gold 6148")))
                .isEqualTo("Intel(R) Xeon(R) Gold 6148");
    }

    @Test
    void takesTheNameThatPowerTells() {
        assertThat(CpuModel.of(List.of("processor\t: 0", "cpu\t\t: POWER9, altivec supported")))
                .isEqualTo("POWER9, altivec supported");
    }

    @Test
    void namesBothKindsOfCoreOfAMixedArmProcessor() {
        List<String> cpuinfo = List.of(
                "CPU implementer\t: 0x41", "CPU part\t: 0xd87",
                "CPU implementer\t: 0x41", "CPU part\t: 0xd85",
                "CPU implementer\t: 0x41", "CPU part\t: 0xd87");

        assertThat(CpuModel.of(cpuinfo)).isEqualTo("Arm Cortex-A725 + Arm Cortex-X925");
    }

    @Test
    void keepsTheNumbersOfAnArmProcessorItDoesNotKnow() {
        assertThat(CpuModel.of(List.of("CPU implementer\t: 0x99", "CPU part\t: 0x123")))
                .isEqualTo("ARM implementer 0x99 part 0x123");
        assertThat(CpuModel.of(List.of("CPU implementer\t: 0x41", "CPU part\t: 0x123")))
                .isEqualTo("Arm part 0x123");
    }

    @Test
    void admitsThatItDoesNotKnow() {
        assertThat(CpuModel.of(List.of())).isEqualTo("unknown");
        assertThat(CpuModel.of(List.of("model name\t:", "garbage"))).isEqualTo("unknown");
    }
}
