package io.loadertuner.service.machine;

import io.loadertuner.core.machine.Machine;
import io.loadertuner.core.machine.MachineType;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The machine that this service measures on. Its type is settled when the service starts. */
public final class ThisMachine {
    private final Supplier<Machine> inspector;
    private final Machine atStart;
    private final String type;

    /**
     * @param inspector looks at the machine afresh
     * @param named the type's name where the operator gave one
     */
    public ThisMachine(Supplier<Machine> inspector, @Nullable String named) {
        this.inspector = inspector;
        this.atStart = inspector.get();
        this.type = named == null ? MachineType.of(atStart).key() : named;
    }

    /** Key of its machine type. */
    public String type() {
        return type;
    }

    /** The machine as it was when the service started. */
    public Machine atStart() {
        return atStart;
    }

    /** The machine as it is now; may take seconds. */
    public Machine now() {
        return inspector.get();
    }
}
