package io.loadertuner.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MachineTypeTest {

    private static final long GIB = 1L << 30;

    @ParameterizedTest(name = "{0}")
    @CsvSource(textBlock = """
                    # 31.26 GiB → 32; 7.62 GiB → 8; 125.8 GiB → 128; 140.4 GiB of the H200 → 144
                    v2-unlimited , 8c-32g-intel-xeon-platinum-8488c
                    v2-docker    , 1.5c-4g-intel-xeon-platinum-8488c
                    hybrid       , 0.5c-3g-intel-xeon-platinum-8488c
                    arm64        , 4c-8g-arm-neoverse-v1
                    gpu-node     , 16c-128g-amd-epyc-9654-2x-nvidia-h200-144g
                    """)
    void derivesAKeyFromWhatMattersToALoader(String recording, String key) {
        assertThat(MachineType.of(RecordedMachine.inspect(recording)).key()).isEqualTo(key);
    }

    @ParameterizedTest(name = "{0} cores of quota: {1}")
    @CsvSource({"0.1, 0.5c", "0.99, 0.5c", "1, 1c", "1.49, 1c", "1.5, 1.5c", "63.9, 63.5c"})
    void roundsCoresDownToHalves(double quotaCores, String cores) {
        assertThat(key(machine(quotaCores, 8 * GIB, "X"))).isEqualTo(cores + "-8g-x");
    }

    @ParameterizedTest(name = "{0} KiB of memory: {1}")
    @CsvSource(textBlock = """
                    # What kernels report of machines sold with so much
                    16116152   , 16g
                    15988488   , 16g
                    32403812   , 32g
                    32779292   , 32g
                    65064560   , 64g
                    65842148   , 64g
                    131899256  , 128g
                    259928496  , 256g
                    527840472  , 512g
                    1056414916 , 1024g
                    # Limits are met exactly
                    4194304    , 4g
                    25165824   , 24g
                    41943040   , 40g
                    1          , 1g
                    0          , 0g
                    """)
    void roundsMemoryUpToAnInstalledSize(long kibibytes, String memory) {
        assertThat(key(machine(null, kibibytes * 1024, "X"))).isEqualTo("64c-" + memory + "-x");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "Intel(R) Xeon(R) CPU @ 2.20GHz, intel-xeon-2.20ghz",
        "Intel(R) Core(TM) i9-9900K CPU @ 3.60GHz, intel-core-i9-9900k-3.60ghz",
        "AMD EPYC 7B13, amd-epyc-7b13",
        "AMD Ryzen 9 7950X 16-Core Processor, amd-ryzen-9-7950x",
        "Arm Cortex-A725 + Cortex-X925, arm-cortex-a725-cortex-x925",
        "龙芯, unknown"
    })
    void writesCpuModelsWithoutMarksAndFillers(String cpuModel, String slug) {
        assertThat(key(machine(null, 8 * GIB, cpuModel))).isEqualTo("64c-8g-" + slug);
    }

    @Test
    void countsGpusByModelInAnyOrder() {
        Gpu small = new Gpu("Tesla T4", 15_360L << 20, "GPU-1");
        Gpu large = new Gpu("NVIDIA L4", 23_034L << 20, "GPU-2");
        Gpu unmeasured = new Gpu("NVIDIA GB10", 0, null);

        assertThat(key(machine(small, large, small, unmeasured)))
                .isEqualTo(key(machine(unmeasured, small, small, large)))
                .isEqualTo("64c-8g-x-1x-nvidia-gb10-1x-nvidia-l4-24g-2x-tesla-t4-15g");
    }

    @Test
    void doesNotDependOnWhatChangesBetweenBoots() {
        Machine before = new Machine("node-1", "X", 4, null, 8 * GIB, GIB, GIB, List.of(new Gpu("T4", GIB, "GPU-1")));
        Machine after = new Machine("node-2", "X", 4, null, 8 * GIB, GIB, 17, List.of(new Gpu("T4", GIB, "GPU-2")));

        assertThat(MachineType.of(after)).isEqualTo(MachineType.of(before));
    }

    @Test
    void cutsALongCpuModelAndKeepsLongModelsApart() {
        String model = "A Processor Whose Maker Could Not Stop Adding Words To Its Name, Revision ";

        String one = key(machine(null, 8 * GIB, model + 1));
        String two = key(machine(null, 8 * GIB, model + 2));

        assertThat(one).hasSizeLessThanOrEqualTo(63).startsWith("64c-8g-a-whose-maker-could-not-stop");
        assertThat(one).isEqualTo(key(machine(null, 8 * GIB, model + 1))).isNotEqualTo(two);
    }

    @Test
    void alwaysDerivesAValidKubernetesLabelValue() {
        List<Gpu> gpus = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            gpus.add(new Gpu("NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition " + i, 96 * GIB, null));
            Machine machine = new Machine(
                    "n", "-.Intel(R) Xeon(R) w9-3595X @@ ".repeat(i + 1), 224, 111.5, Long.MAX_VALUE, 0, 0, gpus);

            assertThat(key(machine)).matches("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "gpu-pool_A.2", "1234567890123456789012345678901234567890123456789012345678901234"})
    void takesTheNameThatAnOperatorGives(String name) {
        assertThat(MachineType.named(name).key()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a/b",
                "ä",
                "a\n",
                "12345678901234567890123456789012345678901234567890123456789012345"
            })
    void refusesOtherNamesAndSaysWhatIsAllowed(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MachineType.named(name))
                .withMessageStartingWith("a machine type is 1 to 64 letters, digits, '.', '_' and '-'");
    }

    private static String key(Machine machine) {
        return MachineType.of(machine).key();
    }

    private static Machine machine(@Nullable Double quotaCores, long memoryBytes, String cpuModel) {
        return new Machine("node-1", cpuModel, 64, quotaCores, memoryBytes, 0, 0, List.of());
    }

    private static Machine machine(Gpu... gpus) {
        return new Machine("node-1", "X", 64, null, 8 * GIB, 0, 0, List.of(gpus));
    }
}
