package io.loadertuner.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MachineTest {

    static Stream<Supplier<Object>> values() {
        return Stream.of(
                () -> new Gpu("NVIDIA T4", 16L << 30, "GPU-1"),
                () -> new Gpu("NVIDIA T4", 16L << 30, null),
                () -> machine(4, 1.5),
                () -> machine(4, null),
                () -> MachineType.named("a"),
                () -> MachineType.named("b"),
                () -> new LockHolder(1, "study a"),
                () -> new LockHolder(2, "study a"));
    }

    @ParameterizedTest
    @MethodSource("values")
    void valuesAreEqualToTheirLikeAndToNothingElse(Supplier<Object> value) {
        assertThat(value.get()).isEqualTo(value.get()).hasSameHashCodeAs(value.get());
        assertThat(values().map(Supplier::get).filter(value.get()::equals)).hasSize(1);
    }

    @Test
    void keepsItsOwnListOfGpus() {
        List<Gpu> gpus = new ArrayList<>(List.of(new Gpu("NVIDIA T4", 0, null)));
        Machine machine = new Machine("node-1", "X", 4, null, 0, 0, 0, gpus);

        gpus.clear();

        assertThat(machine.gpus()).hasSize(1).isUnmodifiable();
    }

    @Test
    void batchesGoToTheCpuForCertainOnlyWhereThereIsNoGpu() {
        Machine withGpu = new Machine("node-1", "X", 4, null, 0, 0, 0, List.of(new Gpu("NVIDIA T4", 0, null)));

        assertThat(machine(4, null).deviceForCertain()).isEqualTo("cpu");
        assertThat(withGpu.deviceForCertain()).isNull();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesAQuotaThatIsNone(double quotaCores) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> machine(4, quotaCores))
                .withMessageContaining("quotaCores");
    }

    @Test
    void refusesToHaveNoCore() {
        assertThatIllegalArgumentException().isThrownBy(() -> machine(0, null)).withMessageContaining("affinityCores");
    }

    @Test
    void refusesNegativeSizesAndBlankNames() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Machine("node-1", "X", 4, null, -1, 0, 0, List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> new Machine("node-1", " ", 4, null, 0, 0, 0, List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> new Gpu("X", -1, null));
        assertThatIllegalArgumentException().isThrownBy(() -> new Gpu("", 0, null));
    }

    private static Machine machine(int affinityCores, @Nullable Double quotaCores) {
        return new Machine("node-1", "X", affinityCores, quotaCores, 1L << 30, 0, 0, List.of());
    }
}
