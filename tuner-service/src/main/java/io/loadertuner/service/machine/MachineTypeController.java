package io.loadertuner.service.machine;

import io.loadertuner.core.machine.Gpu;
import io.loadertuner.core.machine.Machine;
import io.loadertuner.service.machine.MachineTypeStore.KnownType;
import io.loadertuner.service.web.Page;
import java.time.Instant;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /api/v1/machine-types}. */
@RestController
class MachineTypeController {
    private final MachineTypeStore types;
    private final ThisMachine here;

    MachineTypeController(MachineTypeStore types, ThisMachine here) {
        this.types = types;
        this.here = here;
    }

    /**
     * A machine type as it is answered.
     *
     * @param thisMachine whether the machine that answers is of this type
     */
    record MachineTypeAnswer(
            String machineType,
            boolean thisMachine,
            double usableCores,
            String cpuModel,
            long memoryBytes,
            List<Gpu> gpus,
            Instant lastSeenAt) {}

    @GetMapping(path = "/api/v1/machine-types", produces = MediaType.APPLICATION_JSON_VALUE)
    Page<MachineTypeAnswer> all() {
        return Page.all(types.all().stream().map(this::answer).toList());
    }

    private MachineTypeAnswer answer(KnownType type) {
        Machine machine = type.machine();
        return new MachineTypeAnswer(
                type.key(),
                type.key().equals(here.type()),
                machine.usableCores(),
                machine.cpuModel(),
                machine.memoryBytes(),
                machine.gpus(),
                type.lastSeenAt());
    }
}
